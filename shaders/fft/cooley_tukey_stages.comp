// One stage of the Cooley-Tukey transform, radix 2, decimation in time; bit reversal on the first stage's loads.
// Mota, High Performance Fourier Transforms on GPUs, algorithm 1 and section 5.3.1.
//
// Defines, uniforms, inputs, outputs: fft/stage.glsl.

#include "fft/stage.glsl"
#include "common/powers_of_two.glsl"

void main() {
    if (!in_picture()) {
        return;
    }
    int butterfly = butterfly_index();
    int line = line_index();
    int layer = int(gl_GlobalInvocationID.z);
    int half_span = power_of_two(glfft_stage);
    int k = remainder(butterfly, half_span);
    int upper = 2 * (butterfly - k) + k;
    int lower = upper + half_span;

    bool first = glfft_stage == 0;
    value a = load_point(first ? bit_reverse(upper) : upper, line, layer);
    value b = load_point(first ? bit_reverse(lower) : lower, line, layer);
    b = multiply(b, twiddle(1, k, half_span, 2));
    store_point(upper, line, layer, a + b);
    store_point(lower, line, layer, a - b);
}
