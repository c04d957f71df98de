// All stages of Stockham's transform of a line in one dispatch, on two images: radix 2, in natural order throughout.
// Mota, High Performance Fourier Transforms on GPUs: algorithm 3, in a single pass as in section 5.3.1. The algorithm has
// `s` for `stride` in its positions, and N butterflies a stage where there are N / 2.
//
// Defines, inputs, outputs: fft/ping_pong.glsl. THREADS = LENGTH / 2, STAGES = log2(LENGTH)

#include "fft/ping_pong.glsl"

void main() {
    int i = int(gl_LocalInvocationID.x);
    for (int stage = 0; stage < STAGES; ++stage) {
        int gs = divided_by_power(LENGTH, stage);
        int stride = power_of_two(stage);
        int p = divided_by_power(i, stage);
        int q = remainder(i, stride);
        complex w = twiddle(1, p, gs / 2, 2);

        value a = load_stage(stage, q + stride * p);
        value b = load_stage(stage, q + stride * (p + gs / 2));
        store_stage(stage, q + stride * (2 * p), a + b);
        store_stage(stage, q + stride * (2 * p + 1), multiply(a - b, w));

        memoryBarrierImage();
        barrier();
    }
}
