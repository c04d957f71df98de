// What the one-dispatch-a-stage transforms share: an invocation owns one radix-2 butterfly of one line.
//
// Defines:  AXIS, LENGTH, LINE_COUNT (lines in a layer), STAGES = log2(LENGTH), GROUP_BUTTERFLIES x GROUP_LINES
//           invocations in a work group, and those of the files included
// Uniforms: glfft_stage       from 0
//           glfft_direction   -1 forward, +1 inverse
//           glfft_scale       the normalisation on the last stage, 1 before

#if AXIS == 1
layout(local_size_x = GROUP_BUTTERFLIES, local_size_y = GROUP_LINES) in;
#else
layout(local_size_x = GROUP_LINES, local_size_y = GROUP_BUTTERFLIES) in;
#endif

uniform int glfft_stage;
uniform int glfft_direction;
uniform float glfft_scale;
#define DIRECTION glfft_direction
#define SCALE glfft_scale

#include "common/line_access.glsl"
#include "common/twiddle.glsl"
#include "common/integers.glsl"
#include "common/powers_of_two.glsl"

// Neighbouring invocations go along x in either axis, so that memory is read in whole sectors.
int butterfly_index() {
    return int(AXIS == 1 ? gl_GlobalInvocationID.x : gl_GlobalInvocationID.y);
}

int line_index() {
    return int(AXIS == 1 ? gl_GlobalInvocationID.y : gl_GlobalInvocationID.x);
}

bool in_picture() {
    return butterfly_index() < LENGTH / 2 && line_index() < LINE_COUNT;
}
