// Between a texel's channels and a value.
//
// Defines: READS_REAL, WRITES_REAL  1: texels hold real numbers, one channel for each complex number of a value

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

vec4 to_texel(value v) {
#if WRITES_REAL && PAIRED
    return vec4(v.x, v.z, 0.0, 0.0);
#elif WRITES_REAL
    return vec4(v.x, 0.0, 0.0, 0.0);
#else
    return channels_of(v);
#endif
}
