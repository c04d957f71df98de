// Radix-4 butterflies ("dragonflies") of a Stockham stage, on registers. See fft/stockham.comp for the layout.

void stage4(inout complex v[POINTS], int thread, int span) {
    const int APART = POINTS / 4;
    for (int b = 0; b < APART; ++b) {
        int k = (thread + b * THREADS) & (span - 1);
        complex x0 = v[b];
        complex x1 = multiply(v[b + APART], twiddle(k, 4 * span));
        complex x2 = multiply(v[b + 2 * APART], twiddle(2 * k, 4 * span));
        complex x3 = multiply(v[b + 3 * APART], twiddle(3 * k, 4 * span));
        complex even_sum = x0 + x2;
        complex even_difference = x0 - x2;
        complex odd_sum = x1 + x3;
        complex odd_difference = float(DIRECTION) * turn(x1 - x3);
        v[b] = even_sum + odd_sum;
        v[b + APART] = even_difference + odd_difference;
        v[b + 2 * APART] = even_sum - odd_sum;
        v[b + 3 * APART] = even_difference - odd_difference;
    }
}
