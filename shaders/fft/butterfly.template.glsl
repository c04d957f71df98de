// One butterfly of a stage of radix RADIX: twiddle factors, then dft. It is the same for every radix but for dft, and is
// put in once for each.
//
// A thread's butterfly b of a stage is number j = thread + b * THREADS of its line, and the inputs are the registers b,
// b + BUTTERFLIES(RADIX), b + 2 * BUTTERFLIES(RADIX), ... Input i is multiplied by exp(DIRECTION * 2 pi i * k * i /
// (RADIX * span)), k = j / FACTOR_STEP mod span; there are so many points along the axes before.
// There is no loop over b: Mesa keeps long ones, and what is indexed in them goes from registers to memory.
//
// Defines: RADIX, FACTOR_STEP, and BUTTERFLY, the function's name
//          FACTORS_GIVEN      1: the factors are read beforehand, for several exchanges or for products of them
//          TWIDDLE_PRODUCTS   1: the factor of input i = first + rest, where first is a multiple of 4, is then the product
//                             of theirs, so that fewer are read, for one more rounding
//          POINTS, THREADS    of the kernel

void BUTTERFLY(inout line_point v[POINTS], int b, int thread, int span) {
    line_point x[RADIX];
    for (int i = 0; i < RADIX; ++i) {
        x[i] = v[b + i * BUTTERFLIES(RADIX)];
    }
    if (span > 1) {
        // Unsigned, so that it is cheap where the span is a constant.
        int k = int(uint(thread + b * THREADS) / uint(FACTOR_STEP) % uint(span));
        for (int i = 1; i < RADIX; ++i) {
            x[i] = multiply(x[i], twiddle(i, k, span, RADIX));
        }
    }
    dft(x);
    for (int i = 0; i < RADIX; ++i) {
        v[b + i * BUTTERFLIES(RADIX)] = x[i];
    }
}

#if FACTORS_GIVEN
void read_factors(out complex w[RADIX], int b, int thread, int span) {
    int k = int(uint(thread + b * THREADS) / uint(FACTOR_STEP) % uint(span));
    w[0] = complex(1.0, 0.0);
    for (int i = 1; i < RADIX; ++i) {
#if TWIDDLE_PRODUCTS
        w[i] = i > 4 && i % 4 > 0 ? multiply(w[i - i % 4], w[i % 4]) : twiddle(i, k, span, RADIX);
#else
        w[i] = twiddle(i, k, span, RADIX);
#endif
    }
}

void BUTTERFLY(inout line_point v[POINTS], int b, complex w[RADIX]) {
    for (int i = 1; i < RADIX; ++i) {
        int m = b + i * BUTTERFLIES(RADIX);
        v[m] = multiply(v[m], w[i]);
    }
    BUTTERFLY(v, b, 0, 1);
}
#endif
