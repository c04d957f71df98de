// Between two stages: each thread hands its outputs to the threads that own their positions in the next stage.
//
// Defines:
//   LENGTH, THREADS, POINTS, LINES, LINES_SIDE_BY_SIDE as in fft/stockham.comp
//   EXCHANGE  AT_ONCE    whole values through one array
//             IN_TURN    real and imaginary parts one after the other through one float array: less shared memory, so
//                        more groups at work, for more barriers
//             ALTERNATE  whole values through two arrays in turn: one barrier an exchange, for twice the memory
//   PADDING   every PADDING points of a line one slot is left free, so that strided accesses spread over the banks;
//             0: none

#include "common/value.glsl"
#include "common/synchronise.glsl"

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

// Lines lie side by side where their invocations do, one after the other elsewhere.
int slot(int position, int line_in_group) {
#if PADDING
    position += position / PADDING;
#endif
    return LINES_SIDE_BY_SIDE ? position * LINES + line_in_group : line_in_group * LINE_SLOTS + position;
}

// Position of output i of the butterfly that starts at register b.
int output_position(int thread, int b, int i, int radix, int span) {
    int j = thread + b * THREADS;
    int k = j & (span - 1);
    return (j - k) * radix + k + i * span;
}

// `turn` counts the exchanges of a transform from 0.
void exchange(inout value v[POINTS], int thread, int line_in_group, int radix, int span, int turn) {
    int apart = POINTS / radix;
#if EXCHANGE == IN_TURN
    for (int part = 0; part < value(0.0).length(); ++part) {
        if (turn + part > 0) {
            synchronise();
        }
        for (int b = 0; b < apart; ++b) {
            for (int i = 0; i < radix; ++i) {
                slots[slot(output_position(thread, b, i, radix, span), line_in_group)] = v[b + i * apart][part];
            }
        }
        synchronise();
        for (int m = 0; m < POINTS; ++m) {
            v[m][part] = slots[slot(thread + m * THREADS, line_in_group)];
        }
    }
#else
    int first_slot = EXCHANGE == ALTERNATE ? (turn & 1) * ARRAY_SLOTS : 0;
    if (EXCHANGE != ALTERNATE && turn > 0) {
        synchronise();
    }
    for (int b = 0; b < apart; ++b) {
        for (int i = 0; i < radix; ++i) {
            slots[first_slot + slot(output_position(thread, b, i, radix, span), line_in_group)] = v[b + i * apart];
        }
    }
    synchronise();
    for (int m = 0; m < POINTS; ++m) {
        v[m] = slots[first_slot + slot(thread + m * THREADS, line_in_group)];
    }
#endif
}
