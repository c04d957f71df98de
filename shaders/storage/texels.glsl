// Between a texel's channels and a value.
//
// Defines: READS_REAL, WRITES_REAL  1: texels hold real numbers, one channel for each complex number of a value
//          HALF_PRECISION           1: channels are half floats

#include "common/value.glsl"

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
// To the nearest number of 11 bits where the driver packs to the nearest, as llvmpipe does; GLSL leaves it open, and on AMD
// devices packing is said to cut off (github.com/google/clspv/issues/959). In stores more drivers do, which loses 8 dB.
vec4 rounded(vec4 channels) {
    return vec4(unpackHalf2x16(packHalf2x16(channels.xy)), unpackHalf2x16(packHalf2x16(channels.zw)));
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
