// A line, or a part of one, by radix 2^2 in a work group: word groups of four, by four threads or eight, whose points lie
// in arrays in shared memory between epochs.
// Ambuluri, Implementations of the FFT algorithm on GPU, 2012, section 4.4, listings 4.2 and 4.3.
//
// An epoch is a stage that multiplies by 1 and -i only, and one that multiplies by factors. No barrier lies between the
// two. In the listings the threads of a group exchange results there, which GLSL leaves undefined without a barrier. So
// here each thread adds up both results that it needs itself, in registers: twice the additions of the first stage.
//
// Defines:
//   THREADS        invocations in a work group: LENGTH * WORD_THREADS
//   WORD_THREADS   of a word: 1 or 2
//   BIT_REVERSED_OUTPUT   see fft/study/word_group_ends.glsl
//   and those of fft/study/word_group.glsl; WORDS is 4 and RADIX_22 is 1
// Inputs, outputs: common/line_access.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
#include "fft/study/word_group.glsl"
#include "fft/study/word_group_ends.glsl"
#include "fft/study/word_group_components.glsl"

// The arrays SA and SB of the listings, one behind the other: real and imaginary parts by turns.
shared component points[4 * LENGTH];

value point_at(int slot) {
    return value_of_components(points[slot], points[slot + 1]);
}

// Where the points lie that a word comes from, and where it goes, in their arrays.
struct Word {
    int number;  // 0 .. 3; of a butterfly 0 or 1
    Butterfly butterfly;  // of its stage that multiplies by factors
    int in_0, in_1, in_2, in_3, out_slot;
};

Word word_of_group(int thread, int stage) {
    int group = thread / 4;
    int number = thread % 4;
    return Word(
        number,
        butterfly_of(group, number, 0, stage, 2),
        2 * input_slot(group, 0, stage, 2),
        2 * input_slot(group, 1, stage, 2),
        2 * input_slot(group, 2, stage, 2),
        2 * input_slot(group, 3, stage, 2),
        2 * output_slot(group, number, stage, 2)
    );
}

Word word_of_butterfly(int thread, int stage) {
    int number = thread % 2;
    int upper = 2 * input_slot(thread / 2, 0, stage, 1);
    int lower = 2 * input_slot(thread / 2, 1, stage, 1);
    int out_slot = 2 * output_slot(thread / 2, number, stage, 1);
    return Word(number, butterfly_at(thread / 2, stage), upper, lower, upper, lower, out_slot);
}

#if WORD_THREADS == 1
#include "fft/study/radix_22_1_thread.glsl"
#else
#include "fft/study/radix_22_2_threads.glsl"
#endif

void main() {
    int thread = int(gl_LocalInvocationID.x);
    int line = int(gl_WorkGroupID.x);
    int layer = int(gl_WorkGroupID.y);
    int part = int(gl_WorkGroupID.z);

    fill_shared_roots(thread);
    for (int position = thread; position < LENGTH; position += THREADS) {
        value v = load_point(part * LENGTH + position, line, layer);
        points[2 * position] = real_component(v);
        points[2 * position + 1] = imaginary_component(v);
    }
    int from = 0;
    int stage = 0;
#if FIRST_STAGE % 2
    // The line's trivial stage was done before.
    barrier();
    from = add_and_multiply(word_of_butterfly(thread / WORD_THREADS, 0), false, from, 0, part);
    stage = 1;
#endif
    for (; stage < STAGES; stage += 2) {
        barrier();
        from = add_and_multiply(word_of_group(thread / WORD_THREADS, stage), true, from, stage + 1, part);
    }
    barrier();
    for (int nth = thread; nth < LENGTH; nth += THREADS) {
        store_point(result_place(nth, part), line, layer, point_at(from + 2 * result_slot(nth)));
    }
}
