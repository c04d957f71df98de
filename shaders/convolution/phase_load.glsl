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

// About the mean of a part: of four texels without the least and the greatest. Were it left on, a mean of many times
// the contrast would spread over all frequencies under a window of a part, and agree with any shift of the window.
float glfft_level(ivec2 first, ivec2 last) {
    ivec2 quarter = (last - first) / 4, low = first + quarter, high = last - quarter;
    float a = texelFetch(picture, low, 0).r, b = texelFetch(picture, ivec2(high.x, low.y), 0).r;
    float c = texelFetch(picture, high, 0).r, d = texelFetch(picture, ivec2(low.x, high.y), 0).r;
    return 0.5 * max(min(a, b), min(c, d)) + 0.5 * min(max(a, b), max(c, d));
}

// Once an invocation, not once a texel. The window begins where the first picture shows the first of what both show, in
// the second `glfft_shift` later.
ivec2 glfft_shift = knows_shift ? ivec2(round(found.yx)) : ivec2(0);
ivec2 glfft_from = max(-glfft_shift, 0) + (is_second ? glfft_shift : ivec2(0));
ivec2 glfft_common = ivec2(COLUMNS, ROWS) - abs(glfft_shift);
float glfft_mean = glfft_level(glfft_from, glfft_from + glfft_common - 1);
#endif

value load(ivec3 at) {
    float texel = texelFetch(picture, at.xy, 0).r;
#if WINDOW
    ivec2 within = at.xy - glfft_from;
    texel -= glfft_mean;
    texel *= glfft_fade(within.x, COLUMNS, glfft_common.x) * glfft_fade(within.y, ROWS, glfft_common.y);
#endif
    return value(texel, 0.0);
}
