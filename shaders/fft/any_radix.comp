// One stage of any radix of a transform that sorts itself: an invocation sums one output, as the definition of the
// discrete Fourier transform says. What differs between stages and axes is in uniforms: a plan needs one program.
//
// Defines:  THREADS, DIRECTION, and those of the files included, AXIS and LINES_ACROSS as uniforms
// Uniforms: glfft_length, glfft_lines   points of a line, and lines in a layer
//           glfft_radix, glfft_span     of the stage; the span is the product of the radices before
//           glfft_lines_across, glfft_fine_bits   see common/line_access.glsl and ROOT_FINE_BITS in common/twiddle.glsl

layout(local_size_x = THREADS) in;

uniform int glfft_length;
uniform int glfft_lines;
uniform int glfft_radix;
uniform int glfft_span;
uniform int glfft_lines_across;
uniform int glfft_fine_bits;

#include "common/line_access.glsl"
#include "common/twiddle.glsl"

// exp(DIRECTION * 2 pi i * exponent / glfft_length), 0 <= exponent < glfft_length.
complex root(int exponent) {
#if TWIDDLES_COMPUTED
    return twiddle(exponent, 1, 1, glfft_length);
#else
    complex fine = table_entry(exponent & ((1 << glfft_fine_bits) - 1));
    complex w = multiply(table_entry((1 << glfft_fine_bits) + (exponent >> glfft_fine_bits)), fine);
    return DIRECTION < 0 ? w : conjugate(w);
#endif
}

void main() {
    // Neighbouring invocations go along x in every axis, so that memory is read in whole sectors.
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    int position = AXIS == 1 ? at.x : at.y;
    int line = AXIS == 1 ? at.y : at.x;
    int layer = int(gl_GlobalInvocationID.z);
    if (position >= glfft_length || line >= glfft_lines) {
        return;
    }
    // position = (block * RADIX + output) * span + k; the inputs are k + block * span, and then every length / RADIX.
    int k = position % glfft_span;
    int outputs = glfft_span * glfft_radix;
    int first = position / outputs * glfft_span + k;
    int apart = glfft_length / glfft_radix;
    // The twiddle factor and the root of unity of the butterfly are one power, of so much more with each input.
    int step = position % outputs * (glfft_length / outputs);
    int exponent = 0;
    value sum = value(0.0);
    // Sums of sums are rounded less often than one sum of a thousand products.
    for (int begin = 0; begin < glfft_radix; begin += 32) {
        value part = value(0.0);
        for (int i = begin; i < min(begin + 32, glfft_radix); ++i) {
            part += multiply(load_point(first + i * apart, line, layer), root(exponent));
            exponent += step;
            exponent -= exponent < glfft_length ? 0 : glfft_length;
        }
        sum += part;
    }
    store_point(position, line, layer, sum);
}
