// The channel's response at each used subcarrier: what the pilots say, smoothed by a matrix.
//
// Defines: SYMBOLS, SHOWN, TARGET_UNIT  ofdm/result.glsl
//          PILOTS_UNIT, SMOOTHING_UNIT  buffer bindings
//          INVOCATIONS  a divisor of USED

#include "common/complex.glsl"
#include "ofdm/result.glsl"

layout(local_size_x = INVOCATIONS) in;

layout(std430, binding = PILOTS_UNIT) readonly buffer Pilots { vec2 pilots[USED]; };
layout(std430, binding = SMOOTHING_UNIT) readonly buffer Smoothing { vec2 smoothing[]; };

shared vec2 known[USED];

void main() {
    int row = int(gl_GlobalInvocationID.x);
    for (int used = int(gl_LocalInvocationID.x); used < USED; used += INVOCATIONS) {
        known[used] = pilots[used];
    }
    barrier();
    vec2 sum = vec2(0.0);
    for (int used = 0; used < USED; ++used) {
        // The matrix is kept by columns: neighbouring invocations read neighbouring numbers.
        sum += multiply(smoothing[used * USED + row], known[used]);
    }
    response[row] = sum;
}
