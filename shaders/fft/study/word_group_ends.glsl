// Where the results of word groups go, and the shared table of their factors.
// Ambuluri, Implementations of the FFT algorithm on GPU, 2012.
//
// Decimation in frequency leaves its results in bit-reversed order.
//
// Defines:
//   BIT_REVERSED_OUTPUT   1: results are stored in that order, as in the thesis; 0: each is stored in its place
//   THREADS, and those of fft/study/word_group.glsl

int part_reversed(int part) {
    return FIRST_STAGE == 0 ? 0 : int(bitfieldReverse(uint(part)) >> (32 - max(FIRST_STAGE, 1)));
}

// Which of a part's results is the one to store as number `nth` of them.
int result_slot(int nth) {
    return BIT_REVERSED_OUTPUT == 1 ? nth : bit_reverse(nth);
}

// Where in its line that result goes.
int result_place(int nth, int part) {
    return BIT_REVERSED_OUTPUT == 1 ? part * LENGTH + nth : nth * PARTS + part_reversed(part);
}

#if TWIDDLE_PLACE == IN_SHARED
void fill_shared_roots(int thread) {
    for (int m = thread; m < ROOT_POINTS / 2; m += THREADS) {
        shared_roots[m] = twiddle(1, m, ROOT_POINTS / 2, 2);
    }
}
#else
void fill_shared_roots(int thread) {}
#endif
