// The Stockham autosort transform of lines in one dispatch: natural order in, natural order out, no bit reversal.
// Mota, High Performance Fourier Transforms on GPUs, algorithms 3 and 4; Govindaraju et al. 2008.
//
// An invocation is a thread of one line; LINES lines share a work group. A thread keeps POINTS points in registers:
// v[m] holds position thread + m * THREADS of its line. A stage of radix r, after stages that have covered `span`
// points, does for j in [0, LENGTH / r) and k = j mod span
//     a butterfly over positions j + i * LENGTH / r, input i times exp(DIRECTION * 2 pi i * k * i / (r * span)),
//     output i to position (j - k) * r + k + i * span.
// Its inputs are just the registers i * POINTS / r apart; the outputs find their new owners through shared memory.
// The last stage's outputs are where its inputs were, so they go straight to the target.
//
// Defines:
//   AXIS, LENGTH, DIRECTION, SCALE, LINE_COUNT (lines in a layer, or parts of them: fft/parts.glsl)
//   THREADS     invocations a line; POINTS = LENGTH / THREADS, a multiple of every radix
//   LINES       lines in a work group; INVOCATIONS = THREADS * LINES
//   GROUPS_ACROSS               work groups in x; where that is not enough, there are more in z
//   EVERY_LINE_EXISTS           whether the groups have lines for all their invocations
//   LINES_SIDE_BY_SIDE          neighbouring invocations are threads of neighbouring lines (true), or of one line (false)
//   EXCHANGE, PADDING           see fft/exchange.glsl
// Inputs, outputs: fft/parts.glsl, common/line_access.glsl, common/twiddle.glsl
// Generated:
//   generated/stages.glsl       void all_stages(inout value v[POINTS], int thread, int line_in_group)

layout(local_size_x = INVOCATIONS) in;

#include "fft/parts.glsl"
#include "fft/butterflies.glsl"
#include "generated/stages.glsl"

void main() {
    int invocation = int(gl_LocalInvocationID.x);
    int thread = LINES_SIDE_BY_SIDE ? invocation / LINES : invocation % THREADS;
    int line_in_group = LINES_SIDE_BY_SIDE ? invocation % LINES : invocation / THREADS;
    int line = int(gl_WorkGroupID.x + gl_WorkGroupID.z * GROUPS_ACROSS) * LINES + line_in_group;
    int layer = int(gl_WorkGroupID.y);
    // Barriers follow, so invocations past the last line go on, with nothing to load or store.
    bool in_picture = EVERY_LINE_EXISTS || line < LINE_COUNT;

    value v[POINTS];
    for (int m = 0; m < POINTS; ++m) {
        v[m] = in_picture ? load_of_part(thread + m * THREADS, line, layer) : value(0.0);
    }
    all_stages(v, thread, line_in_group);
    if (in_picture) {
        for (int m = 0; m < POINTS; ++m) {
            store_of_part(thread + m * THREADS, line, layer, v[m]);
        }
    }
}
