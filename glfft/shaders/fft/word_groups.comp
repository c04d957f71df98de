// A line, or a part of one, in a work group: epochs of log2(WORDS) stages, each on word groups in registers, or with
// the operations of a group dealt out to several threads. Bit reversal on the way to the stores.
// Ambuluri, Implementations of the FFT algorithm on GPU, 2012, sections 4.2 to 4.7.
//
// Defines:
//   THREADS     invocations in a work group
//   GROUP_THREADS   of a word group: 1, 2, 4 .. 2 * WORDS. Up to WORDS / 2 each does whole butterflies; WORDS: two share
//                   a butterfly; 2 * WORDS: four do
//   SHARES      threads of a butterfly: 1, 2 or 4
//   REVERSED_BY_MASKS   1: bits are reversed by shifts and masks; 0: by GLSL's function
//   ARRAYS      of LENGTH values in shared memory: 2 where a stage cannot write what it reads
//   and those of fft/word_group.glsl
// Inputs, outputs: common/line_access.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
#include "fft/word_group.glsl"

shared value points[ARRAYS * LENGTH];

const int WORKERS = LENGTH / WORDS * GROUP_THREADS;

uint all_bits_reversed(uint number) {
#if REVERSED_BY_MASKS
    number = (number & 0xaaaaaaaau) >> 1 | (number & 0x55555555u) << 1;
    number = (number & 0xccccccccu) >> 2 | (number & 0x33333333u) << 2;
    number = (number & 0xf0f0f0f0u) >> 4 | (number & 0x0f0f0f0fu) << 4;
    number = (number & 0xff00ff00u) >> 8 | (number & 0x00ff00ffu) << 8;
    return number >> 16 | number << 16;
#else
    return bitfieldReverse(number);
#endif
}

int bits_reversed(int number, int bits) {
    return bits == 0 ? 0 : int(all_bits_reversed(uint(number)) >> (32 - bits));
}

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
        // Outputs of a part lie PARTS apart.
        int place = position * PARTS + bits_reversed(part, FIRST_STAGE);
        store_point(place, line, layer, points[from + bits_reversed(position, STAGES)]);
    }
}
