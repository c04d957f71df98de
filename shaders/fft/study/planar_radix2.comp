// Radix 2, a butterfly a thread, through shared memory at every stage, where real and imaginary parts lie apart. Each
// stage takes its points from blocks and puts them down in the order of its threads, so that bits need no reversal.
// Hinitt and Kocak, GPU-Based FFT Computation for Multi-Gigabit WirelessHD Baseband Processing, figure 13: NVIDIA's kernel
// for CUDA, with which their work begins.
//
// Defines: LENGTH, STAGES = log2(LENGTH), THREADS = LENGTH / 2, DIRECTION
// Inputs, outputs: common/line_access.glsl, common/twiddle.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
#include "common/twiddle.glsl"
#include "common/powers_of_two.glsl"

shared float parts[2 * LENGTH];

value at(int position) {
    return value(parts[position], parts[position + LENGTH]);
}

void put(int position, value v) {
    parts[position] = v.x;
    parts[position + LENGTH] = v.y;
}

void main() {
    int thread = int(gl_LocalInvocationID.x);
    int line = int(gl_WorkGroupID.x);
    int layer = int(gl_WorkGroupID.y);
    int other = thread + THREADS;

    put(thread, load_point(thread, line, layer));
    put(other, load_point(other, line, layer));
    barrier();
    for (int stage = 0; stage < STAGES; ++stage) {
        int distance = divided_by_power(THREADS, stage);
        int block = divided_by_power(thread, STAGES - 1 - stage);
        int upper = thread + block * distance;
        value a = at(upper);
        value b = multiply(at(upper + distance), twiddle(1, block, power_of_two(stage), 2));
        barrier();
        put(thread, a + b);
        put(other, a - b);
        barrier();
    }
    store_point(thread, line, layer, at(thread));
    store_point(other, line, layer, at(other));
}
