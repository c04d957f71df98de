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
// To the nearest number of 11 bits, ties to even: drivers may as well cut the others off, which loses 6 dB. Infinity and
// NaN are left alone.
vec4 rounded(vec4 channels) {
    uvec4 bits = floatBitsToUint(channels);
    uvec4 nearest = (bits + 0xFFFu + ((bits >> 13) & 1u)) & ~0x1FFFu;
    bvec4 finite = lessThan(bits & 0x7F800000u, uvec4(0x7F800000u));
    return uintBitsToFloat(uvec4(
        finite.x ? nearest.x : bits.x, finite.y ? nearest.y : bits.y,
        finite.z ? nearest.z : bits.z, finite.w ? nearest.w : bits.w));
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
