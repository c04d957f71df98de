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

// The window begins where the first picture shows the first of what both show, and in the second picture `shift` later.
// Along an axis of one texel there is nothing to fade; one texel in all keeps the uniforms in use.
float glfft_fade(int n, int length, int shift) {
    if (length == 1 && max(COLUMNS, ROWS) > 1) return 1.0;
    int from = max(-shift, 0) + (is_second ? shift : 0);
    int common_length = length - abs(shift);
    int within = n - from;
    if (within < 0 || within >= common_length) return 0.0;
    return 0.5 - 0.5 * cos(6.28318530717958648 * float(within) / float(common_length));
}
#endif

value load(ivec3 at) {
    float texel = texelFetch(picture, at.xy, 0).r;
#if WINDOW
    ivec2 shift = knows_shift ? ivec2(round(found.yx)) : ivec2(0);
    texel *= glfft_fade(at.x, COLUMNS, shift.x) * glfft_fade(at.y, ROWS, shift.y);
#endif
    return value(texel, 0.0);
}
