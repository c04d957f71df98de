// The Stockham autosort transform of a line in one dispatch: natural order in, natural order out, no bit reversal.
// Mota, High Performance Fourier Transforms on GPUs, algorithms 3 and 4; Govindaraju et al. 2008.
//
// An invocation ("thread") keeps POINTS points in registers: v[m] holds position thread + m * THREADS of its line.
// A stage of radix r after stages that have covered `span` points does, for j in [0, LENGTH / r) and k = j mod span,
//     butterfly over positions j + i * LENGTH / r, input i times exp(DIRECTION * 2 pi i * k * i / (r * span)),
//     output i to position (j - k) * r + k + i * span.
// Its inputs are just the registers i * POINTS / r apart; the outputs find their new owners through shared memory.
// The last stage's outputs are where its inputs were, so they go straight to the target.
//
// Defines:
//   AXIS, LENGTH, DIRECTION, SCALE
//   THREADS     invocations a line; POINTS = LENGTH / THREADS, a multiple of every radix
// Inputs, outputs: common/line_access.glsl, common/twiddle.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
#include "common/twiddle.glsl"
#include "common/synchronise.glsl"

shared complex points[LENGTH];

// Hand the outputs of a stage to the threads that own their positions in the next.
void exchange(inout complex v[POINTS], int thread, int radix, int span) {
    int apart = POINTS / radix;
    for (int b = 0; b < apart; ++b) {
        int j = thread + b * THREADS;
        int k = j & (span - 1);
        for (int i = 0; i < radix; ++i) {
            points[(j - k) * radix + k + i * span] = v[b + i * apart];
        }
    }
    synchronise();
    for (int m = 0; m < POINTS; ++m) {
        v[m] = points[thread + m * THREADS];
    }
    synchronise();
}

#include "fft/radix2.glsl"
#if POINTS >= 4
#include "fft/radix4.glsl"
#endif
#include "generated/stages.glsl"

void main() {
    int thread = int(gl_LocalInvocationID.x);
    int line = int(gl_WorkGroupID.x);
    complex v[POINTS];
    for (int m = 0; m < POINTS; ++m) {
        v[m] = load(thread + m * THREADS, line);
    }
    all_stages(v, thread);
    for (int m = 0; m < POINTS; ++m) {
        store(thread + m * THREADS, line, v[m]);
    }
}
