// All stages of the Cooley-Tukey transform of a line in one dispatch, on two images: radix 2, decimation in time, bit
// reversal on the first stage's loads.
// Mota, High Performance Fourier Transforms on GPUs: algorithm 1 and listings A.1 and A.2, with their uniform `stage` as
// the loop of section 5.3.1, "All stages in one pass".
//
// Defines, inputs, outputs: fft/ping_pong.glsl. THREADS = LENGTH / 2, STAGES = log2(LENGTH)

#include "fft/ping_pong.glsl"

void main() {
    int butterfly = int(gl_LocalInvocationID.x);
    for (int stage = 0; stage < STAGES; ++stage) {
        int shift = power_of_two(stage);
        int k = remainder(butterfly, shift);
        int idx = k + 2 * shift * divided_by_power(butterfly, stage);
        complex w = twiddle(1, k, shift, 2);

        value a = load_stage(stage, stage == 0 ? bit_reverse(idx) : idx);
        value b = load_stage(stage, stage == 0 ? bit_reverse(idx + shift) : idx + shift);
        store_stage(stage, idx, a + multiply(b, w));
        store_stage(stage, idx + shift, a - multiply(b, w));

        memoryBarrierImage();
        barrier();
    }
}
