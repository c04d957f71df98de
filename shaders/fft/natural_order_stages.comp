// One stage of the natural-order transform, radix 2, decimation in frequency: after each butterfly the even and odd
// elements are recombined, which takes the place of the bit reversal.
// Mota, High Performance Fourier Transforms on GPUs, section 4.1.2, equations 10 and 11, with the offset q and the
// stride of the sub-transforms written out for stages in a loop instead of a recursion.
//
// Defines, uniforms, inputs, outputs: fft/stage.glsl.

#include "fft/stage.glsl"

void main() {
    if (!in_picture()) {
        return;
    }
    int butterfly = butterfly_index();
    int line = line_index();
    int layer = int(gl_GlobalInvocationID.z);
    int stride = power_of_two(glfft_stage);
    int q = remainder(butterfly, stride);
    int p = divided_by_power(butterfly, glfft_stage);

    value a = load_point(butterfly, line, layer);
    value b = load_point(butterfly + LENGTH / 2, line, layer);
    store_point(q + stride * (2 * p), line, layer, a + b);
    int half_span = divided_by_power(LENGTH, glfft_stage + 1);
    store_point(q + stride * (2 * p + 1), line, layer, multiply(a - b, twiddle(1, p, half_span, 2)));
}
