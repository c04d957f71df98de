// A line, or a part of one, in a work group, whose points lie in arrays in shared memory between all operations.
// Ambuluri, Implementations of the FFT algorithm on GPU, 2012, listings 4.1 and A.1 to A.7.
//
// A butterfly adds and subtracts from the array SA to SB, and multiplies from SB to SA. One, two or four threads do it.
// The listings leave out barriers between threads of a warp, which kept step on the GPUs of their time. Here a barrier
// stands wherever a thread reads what another has written.
//
// Defines:
//   THREADS              invocations in a work group: LENGTH / WORDS * GROUP_THREADS, so that each has its own work
//   GROUP_THREADS        of a word group
//   BUTTERFLY_THREADS    of a butterfly: 1, 2 or 4
//   BALANCED             of two threads: 1: both multiply; 0: one adds, the other subtracts and multiplies (figure 4.6)
//   BIT_REVERSED_OUTPUT  see fft/study/word_group_ends.glsl
//   and those of fft/study/word_group.glsl; STAGES is a multiple of LOG_WORDS, and RADIX_22 is 0
// Inputs, outputs: common/line_access.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
#include "fft/study/word_group.glsl"
#include "fft/study/word_group_ends.glsl"
#include "fft/study/word_group_components.glsl"

shared component SA[2 * LENGTH];
shared component SB[2 * LENGTH];

// A butterfly: where its points' real parts lie in the arrays, the imaginary parts behind them, and its factor.
struct Place {
    int upper_in, lower_in, upper_out, lower_out;
    complex factor;
};

#if BUTTERFLY_THREADS == 1
#include "fft/study/butterfly_1_thread.glsl"
#elif BUTTERFLY_THREADS == 2
#include "fft/study/butterfly_2_threads.glsl"
#else
#include "fft/study/butterfly_4_threads.glsl"
#endif

// The nth of a group's butterflies in a stage, which is the group's step `step`.
Place place_of(int group, int nth, int first_stage, int step) {
    int exponent = LOG_WORDS - 1 - step;
    int stage = first_stage + step;
    int word = (nth >> exponent << (exponent + 1)) + remainder(nth, power_of_two(exponent));
    Butterfly butterfly = butterfly_of(group, word, exponent, first_stage, LOG_WORDS);
    return Place(
        2 * input_slot(butterfly.number, 0, stage, 1),
        2 * input_slot(butterfly.number, 1, stage, 1),
        2 * output_slot(butterfly.number, 0, stage, 1),
        2 * output_slot(butterfly.number, 1, stage, 1),
        root_of(butterfly.k, divided_by_power(LENGTH, stage))
    );
}

void main() {
    int thread = int(gl_LocalInvocationID.x);
    int line = int(gl_WorkGroupID.x);
    int layer = int(gl_WorkGroupID.y);
    int part = int(gl_WorkGroupID.z);
    int group = thread / GROUP_THREADS;
    int first = remainder(thread, GROUP_THREADS) / BUTTERFLY_THREADS;
    int share = remainder(thread, BUTTERFLY_THREADS);

    fill_shared_roots(thread);
    for (int position = thread; position < LENGTH; position += THREADS) {
        value v = load_point(part * LENGTH + position, line, layer);
        SA[2 * position] = real_component(v);
        SA[2 * position + 1] = imaginary_component(v);
    }
    for (int stage = 0; stage < STAGES; stage += LOG_WORDS) {
        for (int step = 0; step < LOG_WORDS; ++step) {
            // A thread that has a whole group reads what it wrote itself.
            if (step == 0 || GROUP_THREADS > 1) {
                barrier();
            }
            for (int nth = first; nth < WORDS / 2; nth += max(GROUP_THREADS / BUTTERFLY_THREADS, 1)) {
                do_butterfly(place_of(group, nth, stage, step), share);
            }
        }
    }
    barrier();
    for (int nth = thread; nth < LENGTH; nth += THREADS) {
        int slot = 2 * result_slot(nth);
        store_point(result_place(nth, part), line, layer, value_of_components(SA[slot], SA[slot + 1]));
    }
}
