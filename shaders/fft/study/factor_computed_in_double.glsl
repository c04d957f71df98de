// A twiddle factor, computed in float64 and rounded once.
//
// Defines: DIRECTION

// Cosine and sine, which GLSL has in float32 only, by their power series, for angles of up to 9/16 of a turn.
dvec2 cosine_and_sine(double angle) {
    dvec2 term = dvec2(1.0LF, angle);
    dvec2 sum = term;
    for (int k = 1; k < 30; k += 2) {
        term *= -angle * angle / dvec2(k * (k + 1), (k + 1) * (k + 2));
        sum += term;
    }
    return sum;
}

complex factor(int row, int column) {
    return complex(cosine_and_sine(double(DIRECTION) * 6.28318530717958648LF * double(row * column) / 16.0LF));
}
