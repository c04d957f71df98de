// A line, or a part of one, in a work group: epochs of log2(WORDS) stages, each on word groups in a thread's registers. Bit
// reversal on the way to the stores.
// Ambuluri, Implementations of the FFT algorithm on GPU, 2012, sections 4.2 to 4.7.
//
// Defines:
//   THREADS     invocations in a work group; each takes one word group or several in turn
//   ARRAYS      of LENGTH values in shared memory: 2 where a stage cannot write what it reads
//   and those of fft/study/word_group.glsl and fft/study/word_group_ends.glsl
// Inputs, outputs: common/line_access.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
#include "fft/study/word_group.glsl"
#include "fft/study/word_group_ends.glsl"

shared value points[ARRAYS * LENGTH];

void main() {
    int thread = int(gl_LocalInvocationID.x);
    int line = int(gl_WorkGroupID.x);
    int layer = int(gl_WorkGroupID.y);
    int part = int(gl_WorkGroupID.z);

    fill_shared_roots(thread);
    for (int position = thread; position < LENGTH; position += THREADS) {
        points[position] = load_point(part * LENGTH + position, line, layer);
    }
    // The array that holds the points; the other one follows it or goes before it.
    int from = 0;
    for (int stage = 0; stage < STAGES; stage += LOG_WORDS) {
        int log_words = min(LOG_WORDS, STAGES - stage);
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
    }
    barrier();
    for (int nth = thread; nth < LENGTH; nth += THREADS) {
        store_point(result_place(nth, part), line, layer, points[from + result_slot(nth)]);
    }
}
