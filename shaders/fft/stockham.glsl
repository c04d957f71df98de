// The Stockham autosort transform of a line within a work group: natural order in, natural order out, no bit reversal.
// Govindaraju et al. 2008; the order of Mota, High Performance Fourier Transforms on GPUs, algorithm 3.
//
// An invocation is a thread of one line; LINES lines share a work group. A stage of radix r, after stages that have
// covered `span` points, has LENGTH / r butterflies. Number j, with k = j mod span, is
//     a transform of the r points at positions j + i * LENGTH / r, input i times exp(DIRECTION * 2 pi i * k * i /
//     (r * span)), output i to position (j - k) * r + k + i * span.
// A thread does those numbered thread, thread + THREADS, ..., and keeps their points in registers: point i of its
// butterfly b is v[b + i * BUTTERFLIES(r)]. The outputs find their new owners through shared memory; those of the last
// stage are where its inputs were, so they go straight to the target. Where THREADS does not divide LENGTH / r, some
// threads have one butterfly less in a stage: what they do in its place goes nowhere.
//
// Defines:
//   AXIS, LENGTH, DIRECTION, SCALE, LINE_COUNT (lines in a layer, or parts of them: fft/four_step.glsl)
//   THREADS     invocations a line; POINTS, registers that a thread needs in the largest of its stages
//   FIRST_RADIX, LAST_RADIX     of the first and the last stage
//   LINES       lines in a work group, or pairs of lines (fft/line_pairs.glsl); INVOCATIONS = THREADS * LINES
//   GROUPS_ACROSS, GROUPS_DEEP  work groups in x and, where that is not enough, in z; GROUP_LAYERS in y
//   BACKWARDS                   begin with the last lines of the last layer
//   EVERY_LINE_EXISTS           whether the groups have lines for all their invocations
//   LINES_SIDE_BY_SIDE          neighbouring invocations are threads of neighbouring lines (true), or of one line (false)
//   EXCHANGE, LINE_SLOTS        see fft/exchange.glsl
//   TWIDDLE_PRODUCTS            see fft/butterfly.template.glsl
// Inputs, outputs: fft/line_pairs.glsl, fft/four_step.glsl, common/line_access.glsl, common/twiddle.glsl
// Generated:
//   generated/stages.glsl       void all_stages(inout value v[POINTS], Place place, int exchanges_before); EXCHANGES, how
//                               many there are in it; and LAST_PADDING, that of one from the last stage to the first

layout(local_size_x = INVOCATIONS) in;

// Butterflies of a stage that a thread has, the last of which may be past the end of the line.
#define BUTTERFLIES(R) ((LENGTH / (R) + THREADS - 1) / THREADS)

// What an invocation works on.
struct Place {
    int thread;
    int line_in_group;
    int line;
    int layer;
    bool in_picture;
};

#include "common/integers.glsl"
#include "fft/line_pairs.glsl"

// Whether all threads have as many butterflies in a stage of a radix.
bool shared_evenly(int radix) {
    return LENGTH / radix % THREADS == 0;
}

// Whether a thread's butterfly b of a stage exists.
bool butterfly_exists(int thread, int b, int radix) {
    return shared_evenly(radix) || thread + b * THREADS < LENGTH / radix;
}

// The butterfly that register m belongs to in a stage of a radix.
int butterfly_of(int m, int radix) {
    return m % BUTTERFLIES(radix);
}

// The position of register m before or after the butterflies of a stage whose outputs stay where its inputs were.
int position_of(Place place, int m, int radix) {
    return place.thread + butterfly_of(m, radix) * THREADS + m / BUTTERFLIES(radix) * (LENGTH / radix);
}

bool register_exists(Place place, int m, int radix) {
    return place.in_picture && butterfly_exists(place.thread, butterfly_of(m, radix), radix);
}

#include "generated/stages.glsl"

Place find_place() {
    // Unsigned, so that a division by a power of two is a shift.
    uint invocation = gl_LocalInvocationID.x;
    Place place;
    place.thread = int(LINES_SIDE_BY_SIDE ? invocation / uint(LINES) : invocation % uint(THREADS));
    place.line_in_group = int(LINES_SIDE_BY_SIDE ? invocation % uint(LINES) : invocation / uint(THREADS));
    ivec3 group = ivec3(gl_WorkGroupID);
    if (BACKWARDS) {
        // Signed: of 0u - gl_WorkGroupID.y, which is 0, NVIDIA's compiler makes something else (580.159).
        group = ivec3(GROUPS_ACROSS, GROUP_LAYERS, GROUPS_DEEP) - 1 - group;
    }
    int line = (group.x + group.z * GROUPS_ACROSS) * (LINES * LINES_A_VALUE) + place.line_in_group;
    // Barriers follow, so invocations past the last line go on, with the last one, and store nothing.
    place.in_picture = EVERY_LINE_EXISTS || line < LINE_COUNT;
    place.line = EVERY_LINE_EXISTS ? line : min(line, LINE_COUNT - 1);
    place.layer = group.y;
    return place;
}

// How many registers the first and the last stage use.
const int FIRST_POINTS = FIRST_RADIX * BUTTERFLIES(FIRST_RADIX);
const int LAST_POINTS = LAST_RADIX * BUTTERFLIES(LAST_RADIX);

// Where register m is loaded from. What a thread without such a butterfly loads, the last point, goes nowhere: loads that
// all threads do take less time than those that wait for a condition.
int loaded_position(Place place, int m) {
    int position = position_of(place, m, FIRST_RADIX);
    return shared_evenly(FIRST_RADIX) ? position : min(position, LENGTH - 1);
}

void load_line(out value v[POINTS], Place place) {
    for (int m = 0; m < FIRST_POINTS; ++m) {
        v[m] = load_of_lines(loaded_position(place, m), place.line, place.layer);
    }
}

void store_line(value v[POINTS], Place place) {
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (register_exists(place, m, LAST_RADIX)) {
            store_of_lines(position_of(place, m, LAST_RADIX), place.line, place.layer, v[m]);
        }
    }
}
