// Texels as the complex numbers that are computed with, and back.
//
// Defines: CHANNELS  1, 2, or 4 of two complex numbers

value from_channels(vec4 texel) {
#if CHANNELS == 1
    return value(texel.r, 0.0);
#elif CHANNELS == 2
    return value(texel.rg);
#else
    return value(texel);
#endif
}

vec4 to_channels(value result) {
#if CHANNELS == 1
    return vec4(result.x, 0.0, 0.0, 1.0);
#elif CHANNELS == 2
    return vec4(result.xy, 0.0, 1.0);
#else
    return vec4(result);
#endif
}
