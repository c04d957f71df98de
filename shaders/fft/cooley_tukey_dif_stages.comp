// One stage of the Gentleman-Sande transform, radix 2, decimation in frequency; bit reversal on the last stage's stores.
// Mota, High Performance Fourier Transforms on GPUs, algorithm 2.
//
// Defines, uniforms, inputs, outputs: fft/stage.glsl.

#include "fft/stage.glsl"
#include "common/bit_reverse.glsl"

void main() {
    if (!in_picture()) {
        return;
    }
    int butterfly = butterfly_index();
    int line = line_index();
    int half_span = LENGTH >> (stage + 1);
    int k = butterfly & (half_span - 1);
    int upper = 2 * (butterfly - k) + k;
    int lower = upper + half_span;

    complex a = load(upper, line);
    complex b = load(lower, line);
    bool last = stage == STAGES - 1;
    store(last ? bit_reverse(upper) : upper, line, a + b);
    store(last ? bit_reverse(lower) : lower, line, multiply(a - b, twiddle(k, 2 * half_span)));
}
