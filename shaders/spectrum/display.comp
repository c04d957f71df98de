// Draws a spectrum as a picture, one pixel for each bin.
//
// In:   spectra[], rg32f, one complex spectrum in FFT order each: (re, im) of any unit
//       colours, rgba32f table; columns are the value (or, if CYCLIC, the angle), rows the lightness
// Out:  picture, rgba8, the same size
// Uniforms: origin, the bin shown at pixel (0, 0); ceiling, the magnitude shown as white; lowest, the magnitude shown
//       as black over ceiling (not used by VIEW_PHASE)
// Defines: SPECTRUM_UNIT, COLOUR_UNIT and IMAGE_UNIT, texture unit of the first spectrum, of the table, and image unit
//          VIEW is VIEW_TONE, VIEW_PHASE or VIEW_COMPLEX
//          LOGARITHM, whether the tone is proportional to the logarithm of the magnitude; if not,
//          EXPONENT, the power of the magnitude that it is proportional to
//          CYCLIC, whether the first column of the table follows the last
//          PLANES, 1 for the colour table, 3 for the tones of three spectra as red, green and blue

#define VIEW_TONE 0
#define VIEW_PHASE 1
#define VIEW_COMPLEX 2

layout(local_size_x = 16, local_size_y = 16) in;

layout(binding = SPECTRUM_UNIT) uniform sampler2D spectra[PLANES];
layout(binding = COLOUR_UNIT) uniform sampler2D colours;
layout(rgba8, binding = IMAGE_UNIT) writeonly uniform image2D picture;

uniform ivec2 origin;
uniform float ceiling;
uniform float lowest;

const float TWO_PI = 6.28318530717958648;

// For bins that are not finite. No colour map has magenta.
const vec3 NOT_A_NUMBER = vec3(1.0, 0.0, 1.0);

// Compares bits: compilers may assume that isnan() and isinf() are never true.
bool is_finite(vec2 z) {
    return all(notEqual(floatBitsToUint(z) & 0x7f800000u, uvec2(0x7f800000u)));
}

// |z| without the overflow of its square.
float magnitude(vec2 z) {
    float larger = max(abs(z.x), abs(z.y));
    return larger > 0.0 ? larger * length(z / larger) : 0.0;
}

// 0 for black to 1 for white.
float tone(vec2 z) {
    float relative = magnitude(z) / ceiling;
    if (relative <= lowest) return 0.0;
    if (relative >= 1.0) return 1.0;
#if LOGARITHM
    return 1.0 - log(relative) / log(lowest);
#else
    float black = lowest > 0.0 ? pow(lowest, EXPONENT) : 0.0;
    return (pow(relative, EXPONENT) - black) / (1.0 - black);
#endif
}

// The angle of z as a fraction of a full circle, 0 to 1. A cyclic table starts at the positive real axis; any other one
// at the negative real axis, where angles jump from pi to -pi. The angle of zero is 0.
float phase_of(vec2 z) {
    if (z == vec2(0.0)) return CYCLIC == 1 ? 0.0 : 0.5;
    float circles = atan(z.y, z.x) / TWO_PI;
#if CYCLIC
    return fract(circles);
#else
    return circles - ceil(circles - 0.5) + 0.5;
#endif
}

vec3 texel(int column, int row) {
    return texelFetch(colours, ivec2(column, row), 0).rgb;
}

// Interpolates the table. Texture units would round the weights to 8 bits.
vec3 colour_at(float across, float down) {
    ivec2 size = textureSize(colours, 0);
#if CYCLIC
    float x = across * float(size.x);
    int left = int(floor(x)) % size.x;
    int right = (left + 1) % size.x;
#else
    float x = across * float(size.x - 1);
    int left = min(int(floor(x)), size.x - 1);
    int right = min(left + 1, size.x - 1);
#endif
    float y = down * float(size.y - 1);
    int upper = min(int(floor(y)), size.y - 1);
    int under = min(upper + 1, size.y - 1);
    vec3 above = mix(texel(left, upper), texel(right, upper), fract(x));
    vec3 below = mix(texel(left, under), texel(right, under), fract(x));
    return mix(above, below, fract(y));
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = textureSize(spectra[0], 0);
    if (any(greaterThanEqual(pixel, size))) return;
    ivec2 bin = (pixel + origin) % size;

    vec2 z = texelFetch(spectra[0], bin, 0).rg;
    bool finite = is_finite(z);
#if PLANES == 3
    vec2 green = texelFetch(spectra[1], bin, 0).rg;
    vec2 blue = texelFetch(spectra[2], bin, 0).rg;
    finite = finite && is_finite(green) && is_finite(blue);
#endif
    if (!finite) {
        // A value that is not a number has no column in a table.
        imageStore(picture, pixel, vec4(NOT_A_NUMBER, 1.0));
        return;
    }
#if PLANES == 3
    vec3 colour = vec3(tone(z), tone(green), tone(blue));
#elif VIEW == VIEW_PHASE
    vec3 colour = colour_at(phase_of(z), 0.0);
#elif VIEW == VIEW_COMPLEX
    vec3 colour = colour_at(phase_of(z), tone(z));
#else
    vec3 colour = colour_at(tone(z), 0.0);
#endif
    // Whole levels: what lies between, devices round with errors of their own.
    imageStore(picture, pixel, vec4(floor(255.0 * colour + 0.5) / 255.0, 1.0));
}
