// dft(x) replaces x by its transform of N1 * N2 points: N2 transforms of every N2nd point, products with roots of unity, and
// N1 transforms across them (Cooley and Tukey, An algorithm for the machine calculation of complex Fourier series, 1965).
//
// Defines: N1, N2; and ROOTS, an array of vec2: cosine and sine of 2 pi k / (N1 * N2), for k from 0

void dft(inout line_point x[N1 * N2]) {
    line_point rows[N1 * N2];
    for (int b = 0; b < N2; ++b) {
        line_point line[N1];
        for (int a = 0; a < N1; ++a) {
            line[a] = x[N2 * a + b];
        }
        dft(line);
        rows[b] = line[0];
        for (int a = 1; a < N1; ++a) {
            rows[a * N2 + b] = b == 0 ? line[a] : multiply(line[a], root(ROOTS[a * b].x, ROOTS[a * b].y));
        }
    }
    for (int a = 0; a < N1; ++a) {
        line_point line[N2];
        for (int b = 0; b < N2; ++b) {
            line[b] = rows[a * N2 + b];
        }
        dft(line);
        for (int b = 0; b < N2; ++b) {
            x[a + N1 * b] = line[b];
        }
    }
}
