// All stages of Stockham's transform of a line in one dispatch, on two images: radix 4, and where log2(LENGTH) is odd a
// last stage of radix 2. In natural order throughout.
// Mota, High Performance Fourier Transforms on GPUs: section 4.1.4, in a single pass as in section 5.3.1. Its algorithm 4
// is algorithm 3 again, of radix 2, so the butterfly is made after that: four points gs / 4 apart, three factors.
//
// Defines, inputs, outputs: fft/ping_pong.glsl. THREADS = LENGTH / 4, at least 1; STAGES = log2(LENGTH) / 2, rounded up

#include "fft/ping_pong.glsl"

void radix4(int stage, int i) {
    int gs = divided_by_power(LENGTH, 2 * stage);
    int stride = power_of_two(2 * stage);
    int p = divided_by_power(i, 2 * stage);
    int q = remainder(i, stride);

    value a = load_stage(stage, q + stride * p);
    value b = load_stage(stage, q + stride * (p + gs / 4));
    value c = load_stage(stage, q + stride * (p + gs / 2));
    value d = load_stage(stage, q + stride * (p + gs / 2 + gs / 4));
    value turned = float(DIRECTION) * times_i(b - d);
    store_stage(stage, q + stride * (4 * p), a + c + (b + d));
    store_stage(stage, q + stride * (4 * p + 1), multiply(a - c + turned, twiddle(1, p, gs / 4, 4)));
    store_stage(stage, q + stride * (4 * p + 2), multiply(a + c - (b + d), twiddle(2, p, gs / 4, 4)));
    store_stage(stage, q + stride * (4 * p + 3), multiply(a - c - turned, twiddle(3, p, gs / 4, 4)));
}

// The last stage: its factors are 1.
void radix2(int stage, int i) {
    value a = load_stage(stage, i);
    value b = load_stage(stage, i + LENGTH / 2);
    store_stage(stage, i, a + b);
    store_stage(stage, i + LENGTH / 2, a - b);
}

void main() {
    int i = int(gl_LocalInvocationID.x);
    int stages_of_4 = LENGTH == power_of_two(2 * STAGES) ? STAGES : STAGES - 1;
    for (int stage = 0; stage < stages_of_4; ++stage) {
        radix4(stage, i);
        memoryBarrierImage();
        barrier();
    }
    if (stages_of_4 < STAGES) {
        for (int j = i; j < LENGTH / 2; j += THREADS) {
            radix2(stages_of_4, j);
        }
    }
}
