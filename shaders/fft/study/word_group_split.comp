// Stages of whole lines, in place and without shared memory: a word group to a thread. They leave parts that are then
// transformed by a work group each.
// Ambuluri, Implementations of the FFT algorithm on GPU, 2012, section 4.7.
//
// Defines:
//   THREADS     invocations in a work group
//   GROUPS      work groups a line; their word groups lie side by side
//   STAGE       the first of the stages
//   and those of fft/study/word_group.glsl, of a whole line
// Inputs, outputs: common/line_access.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
#include "fft/study/word_group.glsl"

const int WORD_GROUPS = LENGTH / WORDS / GROUPS;

void main() {
    int line = int(gl_WorkGroupID.x);
    int layer = int(gl_WorkGroupID.y);
    int first = int(gl_WorkGroupID.z) * WORD_GROUPS;

    for (int i = int(gl_LocalInvocationID.x); i < WORD_GROUPS; i += THREADS) {
        int group = first + i;
        value v[WORDS];
        for (int word = 0; word < WORDS; ++word) {
            v[word] = load_point(input_slot(group, word, STAGE, LOG_WORDS), line, layer);
        }
        word_groups(v, group, STAGE, LOG_WORDS, 0);
        for (int word = 0; word < WORDS; ++word) {
            store_point(output_slot(group, word, STAGE, LOG_WORDS), line, layer, v[word]);
        }
    }
}
