// A value is what one texel carries through a transform: one complex number, or two side by side.
//
// Defines: PAIRED  1: a value is a vec4, two complex numbers (real, imaginary, real, imaginary); 0: a vec2
//          value   in the passes of plans, that type

#include "common/complex.glsl"

#if !defined(value) && PAIRED
#define value vec4
#elif !defined(value)
#define value vec2
#endif

value value_of(vec4 channels) {
    return value(channels);
}

vec4 channels_of(value v) {
#if PAIRED
    return v;
#else
    return vec4(v, 0.0, 0.0);
#endif
}

// The real part of each complex number, with nothing in the imaginary part.
value real_part(value v) {
#if PAIRED
    return vec4(v.x, 0.0, v.z, 0.0);
#else
    return vec2(v.x, 0.0);
#endif
}
