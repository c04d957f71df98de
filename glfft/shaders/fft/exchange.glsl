// Between two stages: each thread hands its outputs to the threads that own their positions in the next stage.
//
// barrier() alone orders the accesses to shared memory around it (GLSL 4.50, section 4.3.8); memoryBarrierShared() before
// it adds nothing but time (docs/performance.md).
//
// Defines:
//   LENGTH, THREADS, POINTS, LINES, LINES_SIDE_BY_SIDE as in fft/stockham.comp
//   EXCHANGE  AT_ONCE    whole values through one array
//             IN_TURN    real and imaginary parts one after the other through one float array: less shared memory, so
//                        more groups at work, for more barriers
//             ALTERNATE  whole values through two arrays in turn: one barrier an exchange, for twice the memory
//   PADDING   every PADDING = 2^PADDING_BITS points of a line one slot is left free, so that strided accesses spread
//             over the banks; 0: none

#include "common/value.glsl"

#define AT_ONCE 0
#define IN_TURN 1
#define ALTERNATE 2

#if PADDING
const int LINE_SLOTS = LENGTH + LENGTH / PADDING;
#else
const int LINE_SLOTS = LENGTH;
#endif
const int ARRAY_SLOTS = LINES * LINE_SLOTS;

#if EXCHANGE == IN_TURN
shared float slots[ARRAY_SLOTS];
#elif EXCHANGE == ALTERNATE
shared value slots[2 * ARRAY_SLOTS];
#else
shared value slots[ARRAY_SLOTS];
#endif

// Slots between neighbouring positions of a line: lines lie side by side where their invocations do.
const int SLOT_STRIDE = LINES_SIDE_BY_SIDE ? LINES : 1;

int padded(int position) {
#if PADDING
    return position + (position >> PADDING_BITS);
#else
    return position;
#endif
}

// The slot of a position. Where position = p + q, with q a multiple of a power of two that p is less than, the slot is
// slot(p) + slot_offset(q): with q a constant, one address serves all registers of a thread.
int slot(int position, int line_in_group) {
    return padded(position) * SLOT_STRIDE + line_in_group * (LINES_SIDE_BY_SIDE ? 1 : LINE_SLOTS);
}

int slot_offset(int positions) {
    return padded(positions) * SLOT_STRIDE;
}

// Slot of output 0 of the butterfly that starts at register b; output i is span * i positions further.
int output_slot(int thread, int b, int line_in_group, int radix, int span) {
    int j = thread + b * THREADS;
    int k = j & (span - 1);
    return slot((j - k) * radix + k, line_in_group);
}

// `turn` counts the exchanges of a transform from 0.
void exchange(inout value v[POINTS], int thread, int line_in_group, int radix, int span, int turn) {
    int apart = POINTS / radix;
    int input_slot = slot(thread, line_in_group);
#if EXCHANGE == IN_TURN
    for (int part = 0; part < value(0.0).length(); ++part) {
        if (turn + part > 0) {
            barrier();
        }
        for (int b = 0; b < apart; ++b) {
            int first = output_slot(thread, b, line_in_group, radix, span);
            for (int i = 0; i < radix; ++i) {
                slots[first + slot_offset(i * span)] = v[b + i * apart][part];
            }
        }
        barrier();
        for (int m = 0; m < POINTS; ++m) {
            v[m][part] = slots[input_slot + slot_offset(m * THREADS)];
        }
    }
#else
    int array = EXCHANGE == ALTERNATE ? (turn & 1) * ARRAY_SLOTS : 0;
    if (EXCHANGE != ALTERNATE && turn > 0) {
        barrier();
    }
    for (int b = 0; b < apart; ++b) {
        int first = array + output_slot(thread, b, line_in_group, radix, span);
        for (int i = 0; i < radix; ++i) {
            slots[first + slot_offset(i * span)] = v[b + i * apart];
        }
    }
    barrier();
    for (int m = 0; m < POINTS; ++m) {
        v[m] = slots[array + input_slot + slot_offset(m * THREADS)];
    }
#endif
}
