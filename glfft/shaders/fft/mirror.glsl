// Each thread gets the points at the positions mirrored to its own, N - k for k, of those k up to N / 2.
//
// Defines: as in fft/stockham.glsl and fft/exchange.glsl

// Position N / 2 is point POINTS / 2 of thread 0; those of other threads from there on are past it.
const int MIRRORED_POINTS = POINTS / 2 + 1;

void mirror(value v[POINTS], Place at, out value mirrored[MIRRORED_POINTS]) {
#if THREADS == 1
    for (int m = 0; m < MIRRORED_POINTS; ++m) {
        mirrored[m] = v[(POINTS - m) % POINTS];
    }
#elif EXCHANGE == IN_TURN
    for (int part = 0; part < value(0.0).length(); ++part) {
        barrier();
        for (int m = 0; m < POINTS; ++m) {
            slots[slot(position_of(at, m), at.line_in_group)] = v[m][part];
        }
        barrier();
        for (int m = 0; m < MIRRORED_POINTS; ++m) {
            int position = (LENGTH - position_of(at, m)) & (LENGTH - 1);
            mirrored[m][part] = slots[slot(position, at.line_in_group)];
        }
    }
#else
    barrier();
    for (int m = 0; m < POINTS; ++m) {
        slots[slot(position_of(at, m), at.line_in_group)] = v[m];
    }
    barrier();
    for (int m = 0; m < MIRRORED_POINTS; ++m) {
        int position = (LENGTH - position_of(at, m)) & (LENGTH - 1);
        mirrored[m] = slots[slot(position, at.line_in_group)];
    }
#endif
}
