// The channel's response at each used subcarrier: what the pilots say, smoothed by a matrix. A group does a row of it.
//
// Defines: SYMBOLS, SHOWN, TARGET_UNIT  ofdm/result.glsl
//          PILOTS_UNIT, SMOOTHING_UNIT  buffer bindings
//          INVOCATIONS  a power of two

#include "common/complex.glsl"
#include "ofdm/result.glsl"

layout(local_size_x = INVOCATIONS) in;

layout(std430, binding = PILOTS_UNIT) readonly buffer Pilots { vec2 pilots[USED]; };
layout(std430, binding = SMOOTHING_UNIT) readonly buffer Smoothing { vec2 smoothing[USED * USED]; };

shared vec2 sums[INVOCATIONS];

void main() {
    int row = int(gl_WorkGroupID.x);
    int thread = int(gl_LocalInvocationID.x);
    vec2 sum = vec2(0.0);
    for (int column = thread; column < USED; column += INVOCATIONS) {
        sum += multiply(smoothing[row * USED + column], pilots[column]);
    }
    sums[thread] = sum;
    for (int half_way = INVOCATIONS / 2; half_way > 0; half_way /= 2) {
        barrier();
        if (thread < half_way) {
            sums[thread] += sums[thread + half_way];
        }
    }
    if (thread == 0) {
        response[row] = sums[0];
    }
}
