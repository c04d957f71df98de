// One butterfly of a stage of a radix: twiddle factors, then dft. It is the same for every radix but for dft, and is put in
// once for each.
//
// A thread's butterfly b of a stage is number j = thread + b * THREADS of its line, and the inputs are the registers b,
// b + BUTTERFLIES(RADIX), b + 2 * BUTTERFLIES(RADIX), ... The factors exp(DIRECTION * 2 pi i * k * i / (RADIX * span)) of
// inputs i, with k = j mod span, are read as they are wanted, or beforehand. With TWIDDLE_PRODUCTS that of i = first +
// rest, where first is a multiple of 4, is then the product of theirs, so that fewer are read, for one more rounding.
// There is no loop over b: Mesa keeps long ones, and what is indexed in them goes from registers to memory.
//
// Defines: RADIX, and BUTTERFLY, the function's name
//          POINTS, THREADS, TWIDDLE_PRODUCTS   of the kernel

void BUTTERFLY(inout value v[POINTS], int b, int thread, int span) {
    value x[RADIX];
    for (int i = 0; i < RADIX; ++i) {
        x[i] = v[b + i * BUTTERFLIES(RADIX)];
    }
    if (span > 1) {
        int k = remainder(thread + b * THREADS, span);
        for (int i = 1; i < RADIX; ++i) {
            x[i] = multiply(x[i], twiddle(i, k, span, RADIX));
        }
    }
    dft(x);
    for (int i = 0; i < RADIX; ++i) {
        v[b + i * BUTTERFLIES(RADIX)] = x[i];
    }
}

void read_factors(out complex w[RADIX], int b, int thread, int span) {
    int k = remainder(thread + b * THREADS, span);
    w[0] = complex(1.0, 0.0);
    for (int i = 1; i < RADIX; ++i) {
        bool is_product = TWIDDLE_PRODUCTS && i > 4 && i % 4 > 0;
        w[i] = is_product ? multiply(w[i - i % 4], w[i % 4]) : twiddle(i, k, span, RADIX);
    }
}

void BUTTERFLY(inout value v[POINTS], int b, complex w[RADIX]) {
    for (int i = 1; i < RADIX; ++i) {
        int m = b + i * BUTTERFLIES(RADIX);
        v[m] = multiply(v[m], w[i]);
    }
    BUTTERFLY(v, b, 0, 1);
}
