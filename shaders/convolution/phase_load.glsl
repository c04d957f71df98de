// A picture, faded out by a periodic Hann window if asked: over all of it, or over the part that both pictures show.
//
// Inputs:  picture        any texture that is read as floats; channel r is taken
//          is_second      whether it is the second picture
//          knows_shift    whether the shift is known, at least roughly
//          found          rows and columns of the shift
// Defines: WINDOW         1: with the window
//          FOUND_BINDING  of the buffer


uniform sampler2D picture;

#if WINDOW
uniform bool is_second;
uniform bool knows_shift;

layout(std430, binding = FOUND_BINDING) readonly buffer Found {
    vec4 found;
};

// Along an axis of one texel there is nothing to fade; one texel in all keeps the uniforms in use.
float glfft_fade(int within, int length, int common_length) {
    if (length == 1 && max(COLUMNS, ROWS) > 1) return 1.0;
    if (within < 0 || within >= common_length) return 0.0;
    return 0.5 - 0.5 * cos(6.28318530717958648 * float(within) / float(common_length));
}

// The mean of two of four texels, without the least and the greatest. Were it left on, a mean of many times the contrast
// would spread over the frequencies under a window of a part, and agree with any shift of the window.
float glfft_level(ivec2 low, ivec2 high) {
    float a = texelFetch(picture, low, 0).r, b = texelFetch(picture, ivec2(high.x, low.y), 0).r;
    float c = texelFetch(picture, high, 0).r, d = texelFetch(picture, ivec2(low.x, high.y), 0).r;
    return 0.5 * max(min(a, b), min(c, d)) + 0.5 * min(max(a, b), max(c, d));
}
#endif

value load(ivec3 at) {
    float texel = texelFetch(picture, at.xy, 0).r;
#if WINDOW
    ivec2 shift = knows_shift ? ivec2(round(found.yx)) : ivec2(0);
    // The window begins where the first picture shows the first of what both show, and in the second `shift` later.
    ivec2 from = max(-shift, 0) + (is_second ? shift : ivec2(0));
    ivec2 size = ivec2(COLUMNS, ROWS), common_size = size - abs(shift), last = common_size - 1;
    texel -= glfft_level(from + last / 4, from + last - last / 4);
    ivec2 within = at.xy - from;
    texel *= glfft_fade(within.x, size.x, common_size.x) * glfft_fade(within.y, size.y, common_size.y);
#endif
    return value(texel, 0.0);
}
