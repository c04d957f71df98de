// The whole Cooley-Tukey transform of a line in one dispatch: radix 2, decimation in time, in place in shared memory,
// one line a work group, a barrier between stages.
// Mota, High Performance Fourier Transforms on GPUs, algorithm 1 in one pass; his own pass keeps the line in two images, see
// fft/ping_pong_cooley_tukey.comp.
//
// Defines:
//   AXIS, LENGTH, STAGES = log2(LENGTH), DIRECTION, SCALE
//   THREADS     invocations in a work group, a divisor of LENGTH / 2
// Inputs, outputs: common/line_access.glsl, common/twiddle.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
#include "common/twiddle.glsl"
#include "common/integers.glsl"
#include "common/powers_of_two.glsl"

shared value points[LENGTH];

void main() {
    int thread = int(gl_LocalInvocationID.x);
    int line = int(gl_WorkGroupID.x);
    int layer = int(gl_WorkGroupID.y);

    for (int position = thread; position < LENGTH; position += THREADS) {
        points[bit_reverse(position)] = load_point(position, line, layer);
    }
    for (int stage = 0; stage < STAGES; ++stage) {
        barrier();
        int half_span = power_of_two(stage);
        for (int butterfly = thread; butterfly < LENGTH / 2; butterfly += THREADS) {
            int k = remainder(butterfly, half_span);
            int upper = 2 * (butterfly - k) + k;
            int lower = upper + half_span;
            value a = points[upper];
            value b = multiply(points[lower], twiddle(1, k, half_span, 2));
            points[upper] = a + b;
            points[lower] = a - b;
        }
    }
    barrier();
    for (int position = thread; position < LENGTH; position += THREADS) {
        store_point(position, line, layer, points[position]);
    }
}
