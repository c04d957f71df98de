// The first stages of lines whose parts are then transformed by a work group each: a word group of a word from each part
// to a thread, in place.
// Ambuluri, Implementations of the FFT algorithm on GPU, 2012, section 4.7.
//
// Defines:
//   THREADS     invocations in a work group
//   GROUPS      work groups a line; their word groups lie side by side
//   and those of fft/word_group.glsl, of a whole line: WORDS is the number of parts
// Inputs, outputs: common/line_access.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
#include "fft/word_group.glsl"

const int WORD_GROUPS = LENGTH / WORDS / GROUPS;

void main() {
    int line = int(gl_WorkGroupID.x);
    int layer = int(gl_WorkGroupID.y);
    int first = int(gl_WorkGroupID.z) * WORD_GROUPS;

    for (int i = int(gl_LocalInvocationID.x); i < WORD_GROUPS; i += THREADS) {
        int group = first + i;
        value v[WORDS];
        for (int word = 0; word < WORDS; ++word) {
            v[word] = load_point(input_slot(group, word, 0, LOG_WORDS), line, layer);
        }
        word_groups(v, group, 0, LOG_WORDS, 0);
        for (int word = 0; word < WORDS; ++word) {
            store_point(output_slot(group, word, 0, LOG_WORDS), line, layer, v[word]);
        }
    }
}
