// Decimation in frequency, radix 2, eight points a thread: three stages make a set, and within a set no thread needs the
// points of another. Between sets, each point is put back where it came from. Bits are reversed as points are stored.
// Hinitt and Kocak, GPU-Based FFT Computation for Multi-Gigabit WirelessHD Baseband Processing, sections 5.1 to 5.3.
//
// Defines:
//   LENGTH, STAGES = log2(LENGTH), SETS = STAGES / 3, DIRECTION
//   THREADS            LENGTH / 8
//   SLOT_SHIFT         of the order of points in shared memory, see `slot`: STAGES where they are in order
//   LAST_SET_REVERSED  threads take the blocks of the last set so that neighbours store neighbouring points
// Inputs, outputs: common/line_access.glsl, common/twiddle.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
#include "common/twiddle.glsl"
#include "common/powers_of_two.glsl"

shared value slots[LENGTH];

// A shift of STAGES - 4 puts points that lie LENGTH / 16 apart into different banks: the remainders of their slots by 16
// all differ.
int slot(int location) {
    return location ^ divided_by_power(location, SLOT_SHIFT);
}

void butterfly(inout value upper, inout value lower, int k, int half_span) {
    value difference = upper - lower;
    upper += lower;
    lower = multiply(difference, twiddle(1, k, half_span, 2));
}

// Three stages of points that lie `distance` apart; the first is `offset` from the beginning of its block.
void set_of_stages(inout value v[8], int offset, int distance) {
    butterfly(v[0], v[4], offset, 4 * distance);
    butterfly(v[1], v[5], offset + distance, 4 * distance);
    butterfly(v[2], v[6], offset + 2 * distance, 4 * distance);
    butterfly(v[3], v[7], offset + 3 * distance, 4 * distance);

    butterfly(v[0], v[2], offset, 2 * distance);
    butterfly(v[1], v[3], offset + distance, 2 * distance);
    butterfly(v[4], v[6], offset, 2 * distance);
    butterfly(v[5], v[7], offset + distance, 2 * distance);

    butterfly(v[0], v[1], offset, distance);
    butterfly(v[2], v[3], offset, distance);
    butterfly(v[4], v[5], offset, distance);
    butterfly(v[6], v[7], offset, distance);
}

void main() {
    int thread = int(gl_LocalInvocationID.x);
    int line = int(gl_WorkGroupID.x);
    int layer = int(gl_WorkGroupID.y);

    value v[8];
    for (int i = 0; i < 8; ++i) {
        v[i] = load_point(thread + i * THREADS, line, layer);
    }
    set_of_stages(v, thread, THREADS);
    int first = thread;
    for (int number = 1; number < SETS; ++number) {
        int distance_before = divided_by_power(LENGTH, 3 * number);
        for (int i = 0; i < 8; ++i) {
            slots[slot(first + i * distance_before)] = v[i];
        }
        barrier();
        // Neighbouring threads have neighbouring blocks, and the same factors (figure 11, table 5).
        int distance = divided_by_power(distance_before, 3);
        int block = thread & (power_of_two(3 * number) - 1);
        int offset = divided_by_power(thread, 3 * number);
        if (LAST_SET_REVERSED && number == SETS - 1) {
            block = divided_by_power(bit_reverse(thread), 3);
        }
        first = block * distance_before + offset;
        for (int i = 0; i < 8; ++i) {
            v[i] = slots[slot(first + i * distance)];
        }
        set_of_stages(v, offset, distance);
    }
    for (int i = 0; i < 8; ++i) {
        store_point(bit_reverse(first + i), line, layer, v[i]);
    }
}
