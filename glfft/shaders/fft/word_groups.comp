// A line, or a part of one, in a work group: epochs of log2(WORDS) stages, each on word groups in registers, or with
// the operations of a group dealt out to several threads. Bit reversal on the way to the stores.
// Ambuluri, Implementations of the FFT algorithm on GPU, 2012, sections 4.2 to 4.7.
//
// Defines:
//   THREADS     invocations in a work group
//   GROUP_THREADS   of a word group: 1, 2, 4 .. 2 * WORDS. Up to WORDS / 2 each does whole butterflies; WORDS: two share
//                   a butterfly; 2 * WORDS: four do
//   SHARES      threads of a butterfly: 1, 2 or 4
//   ARRAYS      of LENGTH values in shared memory: 2 where a stage cannot write what it reads
//   and those of fft/word_group.glsl
// Inputs, outputs: common/line_access.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
#include "fft/word_group.glsl"

shared value points[ARRAYS * LENGTH];

const int WORKERS = LENGTH / WORDS * GROUP_THREADS;

#if PARTS > 1
int place_in_line(int position, int part) {
    return position * PARTS + int(bitfieldReverse(uint(part)) >> (32 - FIRST_STAGE));
}
#else
int place_in_line(int position, int part) {
    return position;
}
#endif

#if GROUP_THREADS > 1
#include "fft/word_group_shares.glsl"
#endif

void main() {
    int thread = int(gl_LocalInvocationID.x);
    int line = int(gl_WorkGroupID.x);
    int layer = int(gl_WorkGroupID.y);
    int part = int(gl_WorkGroupID.z);

#if TWIDDLE_PLACE == IN_SHARED
    for (int m = thread; m < ROOT_POINTS / 2; m += THREADS) {
        shared_roots[m] = twiddle(1, m, ROOT_POINTS / 2, 2);
    }
#endif
    for (int position = thread; position < LENGTH; position += THREADS) {
        points[position] = load_point(part * LENGTH + position, line, layer);
    }
    // The array that holds the points; the other one follows it or goes before it.
    int from = 0;
    for (int stage = 0; stage < STAGES; stage += LOG_WORDS) {
        int log_words = min(LOG_WORDS, STAGES - stage);
#if GROUP_THREADS > 1
        for (int exponent = log_words - 1; exponent >= 0; --exponent) {
            from = shared_step(from, thread, exponent, stage, log_words, part);
        }
#else
        barrier();
        int to = ARRAYS == 1 ? 0 : LENGTH - from;
        int left = LOG_WORDS - log_words;
        for (int number = thread; number < LENGTH / WORDS; number += THREADS) {
            value v[WORDS];
            for (int i = 0; i < WORDS; ++i) {
                int group = (number << left) + (i >> log_words);
                v[i] = points[from + input_slot(group, i & (power_of_two(log_words) - 1), stage, log_words)];
            }
            word_groups(v, number, stage, log_words, part);
            for (int i = 0; i < WORDS; ++i) {
                int group = (number << left) + (i >> log_words);
                points[to + output_slot(group, i & (power_of_two(log_words) - 1), stage, log_words)] = v[i];
            }
        }
        from = to;
#endif
    }
    barrier();
    for (int position = thread; position < LENGTH; position += THREADS) {
        store_point(place_in_line(position, part), line, layer, points[from + bit_reverse(position)]);
    }
}
