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
    int i = 0;
    value sum = value(0.0);
    if (glfft_radix >= 8) {
        // The roots of eight inputs in a row are powers of one, which stay, times that of the first of them.
        complex w1 = root(step);
        complex w2 = root(2 * step % glfft_length);
        complex w3 = root(3 * step % glfft_length);
        complex w4 = root(4 * step % glfft_length);
        complex w5 = root(5 * step % glfft_length);
        complex w6 = root(6 * step % glfft_length);
        complex w7 = root(7 * step % glfft_length);
        int step_of_eight = 8 * step % glfft_length;
        int end = glfft_radix - glfft_radix % 8;
        // Sums of sums are rounded less often than one sum of a thousand products.
        while (i < end) {
            value part = value(0.0);
            for (int part_end = min(i + 32, end); i < part_end; i += 8) {
                int at = first + i * apart;
                value v = load_point(at, line, layer);
                v += multiply(load_point(at + apart, line, layer), w1);
                v += multiply(load_point(at + 2 * apart, line, layer), w2);
                v += multiply(load_point(at + 3 * apart, line, layer), w3);
                v += multiply(load_point(at + 4 * apart, line, layer), w4);
                v += multiply(load_point(at + 5 * apart, line, layer), w5);
                v += multiply(load_point(at + 6 * apart, line, layer), w6);
                v += multiply(load_point(at + 7 * apart, line, layer), w7);
                part += multiply(v, root(exponent));
                exponent += step_of_eight;
                exponent -= exponent < glfft_length ? 0 : glfft_length;
            }
            sum += part;
        }
    }
    for (; i < glfft_radix; ++i) {
        sum += multiply(load_point(first + i * apart, line, layer), root(exponent));
        exponent += step;
        exponent -= exponent < glfft_length ? 0 : glfft_length;
    }
    store_point(position, line, layer, sum);
}
