// The polyphase filter, in the load of the transform over channels. With the sign of the inverse transform,
//   y_k[m] = sum over r of exp(+2 pi i k r / M) v_m[r],  v_m[r] = sum over q of h[p + qM] x[mD - p - qM],
// p = (r + mD) mod M: the mixing to the middle of each channel is the order in which the branches p are taken.
//
// Defines:
//   ROWS         M
//   DECIMATION   D
//   TAPS         of each branch
//   PROTOTYPE_BINDING, and those of channelizer/samples.glsl
// Inputs:
//   rotation     of the block's first sample, its number mod M

#include "common/integers.glsl"
#include "channelizer/samples.glsl"

layout(std430, binding = PROTOTYPE_BINDING) readonly restrict buffer Prototype { float prototype[]; };

uniform int rotation;

value load(ivec3 at) {
    int newest = at.x * DECIMATION;
    int branch = remainder(at.y + rotation + newest, ROWS);
    vec2 sum = vec2(0.0);
    for (int tap = branch; tap < TAPS * ROWS; tap += ROWS) {
        sum += prototype[tap] * sample_at(newest - tap);
    }
    return sum;
}
