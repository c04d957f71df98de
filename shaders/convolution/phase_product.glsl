// The phase of the cross spectrum, weighted by frequency.
//
// Inputs:  first      the spectrum of the first picture; `spectrum` is the second's
// Defines: WEIGHT_WIDTH  of the Gaussian weight, in cycles a pixel
//          WEIGHT_SCALE  a factor
//          LEAVE_OUT     1: without the frequencies that the mean has under a Hann window


uniform sampler2D first;

vec2 glfft_phase(vec2 number) {
    // By the larger part first, as the square of a small number is 0.
    float size = max(abs(number.x), abs(number.y));
    if (size == 0.0) return vec2(0.0);
    vec2 scaled = number / size;
    return scaled / length(scaled);
}

value product(ivec3 at, value spectrum) {
    ivec2 wave = at.xy - ivec2(COLUMNS, ROWS) * ivec2(greaterThan(2 * at.xy, ivec2(COLUMNS, ROWS)));
#if LEAVE_OUT
    if (max(abs(wave.x), abs(wave.y)) <= 1) return value(0.0);
#endif
    vec2 frequency = vec2(wave) / (vec2(COLUMNS, ROWS) * WEIGHT_WIDTH);
    vec2 cross = multiply(glfft_phase(spectrum), conjugate(glfft_phase(texelFetch(first, at.xy, 0).xy)));
    return cross * (exp(-0.5 * dot(frequency, frequency)) * WEIGHT_SCALE);
}
