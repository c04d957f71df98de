// Between a texel's channels and a value.
//
// Defines: READS_REAL, WRITES_REAL  1: texels hold real numbers, one channel for each complex number of a value
//          HALF_PRECISION           1: channels are half floats
//          LOAD_SNIPPET             1: a snippet chooses which texels are read

#include "common/value.glsl"

// Which texel to fetch. Of a small constant less a coordinate, as in a mirrored picture of a few rows, NVIDIA's compiler
// (580.159) makes a fetch at minus the coordinate with the constant as its offset, and that finds nothing. The maximum
// hides the difference from it.
#if LOAD_SNIPPET
#define fetched(at) max(at, 0)
#else
#define fetched(at) (at)
#endif

value from_texel(vec4 channels) {
#if READS_REAL && PAIRED
    return value(channels.x, 0.0, channels.y, 0.0);
#elif READS_REAL
    return value(channels.x, 0.0);
#else
    return value_of(channels);
#endif
}

#if HALF_PRECISION
// To the nearest number of 11 bits: half a unit of the last of these is added, and the others are cut off. Neither what
// imageStore does with them is specified nor what packHalf2x16 does, and drivers that cut them off lose 8 dB. What is
// infinite or no number stays so. Half way between two, where a stage of radix 2 often ends, real parts go away from
// zero and imaginary ones, to which a float's last bit less is added, towards it: if all went one way, the errors of
// stage after stage would pile up: 3 dB in 16 of them.
const vec4 HALF_A_UNIT = vec4(1.0, 1.0 - 1.0 / 4096.0, 1.0, 1.0 - 1.0 / 4096.0) / 2048.0;

vec4 rounded(vec4 channels) {
    vec4 power_of_two = uintBitsToFloat(floatBitsToUint(channels) & 0xff800000u);
    vec4 half_a_unit_more = channels + power_of_two * HALF_A_UNIT;
    return uintBitsToFloat(floatBitsToUint(half_a_unit_more) & 0xffffe000u);
}
#else
#define rounded
#endif

vec4 to_texel(value v) {
#if WRITES_REAL && PAIRED
    return rounded(vec4(v.x, v.z, 0.0, 0.0));
#elif WRITES_REAL
    return rounded(vec4(v.x, 0.0, 0.0, 0.0));
#else
    return rounded(channels_of(v));
#endif
}
