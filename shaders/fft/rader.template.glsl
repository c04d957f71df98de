// dft(x) replaces x by its transform of PRIME points, by Rader's permutation: with a generator g of the numbers modulo
// PRIME, the sums over inputs g^q for outputs g^-r are cyclic convolutions (Rader, Discrete Fourier transforms when the
// number of data samples is prime, 1968). Inputs j and PRIME - j go together, as sums with cosines and differences with
// sines, which halves the convolutions; they are short, and done directly.
//
// Defines: PRIME, odd; POWERS, COSINES and SINES, names of arrays:
//   int POWERS[PRIME - 1]              g^q mod PRIME
//   float COSINES[(PRIME - 1) / 2]     cos(2 pi g^q / PRIME); it has this period
//   float SINES[(PRIME - 1) / 2]       sin(2 pi g^q / PRIME); a period further it has the other sign

void dft(inout line_point x[PRIME]) {
    const int HALF = (PRIME - 1) / 2;
    line_point sums[HALF];
    line_point differences[HALF];
    line_point even[HALF];
    line_point odd[HALF];
    line_point total = x[0];
    for (int q = 0; q < HALF; ++q) {
        sums[q] = x[POWERS[q]] + x[PRIME - POWERS[q]];
        differences[q] = x[POWERS[q]] - x[PRIME - POWERS[q]];
        total += sums[q];
    }
    for (int r = 0; r < HALF; ++r) {
        even[r] = x[0];
        odd[r] = line_point(0.0);
        for (int q = 0; q < HALF; ++q) {
            even[r] += COSINES[(q + HALF - r) % HALF] * sums[q];
            odd[r] += (q < r ? -1.0 : 1.0) * SINES[(q + HALF - r) % HALF] * differences[q];
        }
    }
    x[0] = total;
    for (int r = 0; r < HALF; ++r) {
        // g^-r.
        int k = POWERS[(PRIME - 1 - r) % (PRIME - 1)];
        x[k] = even[r] + quarter(odd[r]);
        x[PRIME - k] = even[r] - quarter(odd[r]);
    }
}
