// The Stockham autosort transform of a line within a work group: natural order in, natural order out, no bit reversal.
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
//   LINES       lines in a work group, or pairs of lines (fft/line_pairs.glsl); INVOCATIONS = THREADS * LINES
//   GROUPS_ACROSS, GROUPS_DEEP  work groups in x and, where that is not enough, in z
//   BACKWARDS                   begin with the last lines of the last layer
//   EVERY_LINE_EXISTS           whether the groups have lines for all their invocations
//   LINES_SIDE_BY_SIDE          neighbouring invocations are threads of neighbouring lines (true), or of one line (false)
//   EXCHANGE, PADDING           see fft/exchange.glsl
//   TWIDDLE_PRODUCTS            see fft/butterflies.glsl
// Inputs, outputs: fft/line_pairs.glsl, fft/parts.glsl, common/line_access.glsl, common/twiddle.glsl
// Generated:
//   generated/stages.glsl       void all_stages(inout value v[POINTS], Place at, int exchanges_before), and EXCHANGES,
//                               how many there are in it

layout(local_size_x = INVOCATIONS) in;

// What an invocation works on.
struct Place {
    int thread;
    int line_in_group;
    int line;
    int layer;
    bool in_picture;
};

#include "fft/line_pairs.glsl"
#include "fft/butterflies.glsl"
#include "generated/stages.glsl"

Place place() {
    // Unsigned, so that a division by a power of two is a shift.
    uint invocation = gl_LocalInvocationID.x;
    Place at;
    at.thread = int(LINES_SIDE_BY_SIDE ? invocation / uint(LINES) : invocation % uint(THREADS));
    at.line_in_group = int(LINES_SIDE_BY_SIDE ? invocation % uint(LINES) : invocation / uint(THREADS));
    ivec3 group = ivec3(gl_WorkGroupID);
    if (BACKWARDS) {
        // Signed: of 0u - gl_WorkGroupID.y, which is 0, NVIDIA's compiler makes something else (580.159).
        group = ivec3(GROUPS_ACROSS, LAYERS, GROUPS_DEEP) - 1 - group;
    }
    at.line = (group.x + group.z * GROUPS_ACROSS) * (LINES * LINES_A_VALUE) + at.line_in_group;
    at.layer = group.y;
    // Barriers follow, so invocations past the last line go on, with nothing to load or store.
    at.in_picture = EVERY_LINE_EXISTS || at.line < LINE_COUNT;
    return at;
}

// The position of a thread's point m.
int position_of(Place at, int m) {
    return at.thread + m * THREADS;
}

void load_line(out value v[POINTS], Place at) {
    for (int m = 0; m < POINTS; ++m) {
        v[m] = at.in_picture ? load_of_lines(position_of(at, m), at.line, at.layer) : value(0.0);
    }
}

void store_line(value v[POINTS], Place at) {
    if (at.in_picture) {
        for (int m = 0; m < POINTS; ++m) {
            store_of_lines(position_of(at, m), at.line, at.layer, v[m]);
        }
    }
}
