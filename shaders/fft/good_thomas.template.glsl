// dft(x) replaces x by its transform of N1 * N2 points, where N1 and N2 have no common factor: transforms of N1 points and
// then of N2, with no factors in between (Good, The interaction algorithm and practical Fourier analysis, 1958).
//
// Defines: N1, N2; and K1, which is 1 modulo N1 and 0 modulo N2, and K2, the other way round

void dft(inout line_point x[N1 * N2]) {
    line_point rows[N1 * N2];
    for (int b = 0; b < N2; ++b) {
        line_point line[N1];
        for (int a = 0; a < N1; ++a) {
            line[a] = x[(N2 * a + N1 * b) % (N1 * N2)];
        }
        dft(line);
        for (int a = 0; a < N1; ++a) {
            rows[a * N2 + b] = line[a];
        }
    }
    for (int a = 0; a < N1; ++a) {
        line_point line[N2];
        for (int b = 0; b < N2; ++b) {
            line[b] = rows[a * N2 + b];
        }
        dft(line);
        for (int b = 0; b < N2; ++b) {
            x[(K1 * a + K2 * b) % (N1 * N2)] = line[b];
        }
    }
}
