// Radix-2 butterflies of a Stockham stage, on registers. See fft/stockham.comp for the layout.

void stage2(inout complex v[POINTS], int thread, int span) {
    const int APART = POINTS / 2;
    for (int b = 0; b < APART; ++b) {
        int k = (thread + b * THREADS) & (span - 1);
        complex x0 = v[b];
        complex x1 = multiply(v[b + APART], twiddle(k, 2 * span));
        v[b] = x0 + x1;
        v[b + APART] = x0 - x1;
    }
}
