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
// To the nearest number of 11 bits: of 24, a factor of 2^13 + 1 splits the upper ones off (Dekker, A floating-point
// technique for extending the available precision, 1971). Neither what imageStore does with the others is specified nor
// what packHalf2x16 does, and drivers that cut them off lose 8 dB. What is too large for half precision is left alone.
vec4 rounded(vec4 channels) {
    precise vec4 split = channels * 8193.0;
    precise vec4 upper = split - (split - channels);
    return mix(channels, upper, lessThan(abs(channels), vec4(65536.0)));
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
