// A twiddle factor, computed.
//
// Defines: DIRECTION

complex factor(int row, int column) {
    float angle = float(DIRECTION) * 6.28318530717958648 * float(row * column) / 16.0;
    return complex(cos(angle), sin(angle));
}
