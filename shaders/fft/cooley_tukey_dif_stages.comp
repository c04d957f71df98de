// One stage of the Gentleman-Sande transform, radix 2, decimation in frequency; bit reversal on the last stage's stores.
// Mota, High Performance Fourier Transforms on GPUs, algorithm 2.
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
    int half_span = divided_by_power(LENGTH, glfft_stage + 1);
    int k = remainder(butterfly, half_span);
    int upper = 2 * (butterfly - k) + k;
    int lower = upper + half_span;

    value a = load_point(upper, line, layer);
    value b = load_point(lower, line, layer);
    bool last = glfft_stage == STAGES - 1;
    store_point(last ? bit_reverse(upper) : upper, line, layer, a + b);
    store_point(last ? bit_reverse(lower) : lower, line, layer, multiply(a - b, twiddle(1, k, half_span, 2)));
}
