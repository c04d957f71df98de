// Between two stages: each thread hands its outputs to the threads that own their positions in the next stage.
//
// barrier() alone orders the accesses to shared memory around it (GLSL 4.50, section 4.3.8); memoryBarrierShared() before
// it adds nothing but time (docs/performance.md).
//
// Defines:
//   LENGTH, THREADS, POINTS, LINES, LINES_SIDE_BY_SIDE   of the kernel
//   EXCHANGE  AT_ONCE    whole values through one array
//             IN_TURN    real and imaginary parts one after the other through one float array: less shared memory, so
//                        more groups at work, for more barriers
//             ALTERNATE  whole values through two arrays in turn: one barrier an exchange, for twice the memory
//   PADDING   every PADDING points of a line one slot is left free, so that strided accesses spread over the banks; 0:
//             none

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
    // Unsigned, so that a division by a power of two is a shift.
    return position + int(uint(position) / uint(PADDING));
#else
    return position;
#endif
}

int slot(int position, int line_in_group) {
    return padded(position) * SLOT_STRIDE + line_in_group * (LINES_SIDE_BY_SIDE ? 1 : LINE_SLOTS);
}

// The slot `further` positions on from one whose slot is known. Where the two parts of a position within PADDING never add
// up to PADDING, that is a constant away, and one address serves all registers of a thread. `most` is the first part, at
// most.
int slot_further(int position, int its_slot, int further, int most) {
#if PADDING
    bool adds_up = most + further % PADDING < PADDING;
    return its_slot + (adds_up ? padded(further) : padded(position + further) - padded(position)) * SLOT_STRIDE;
#else
    return its_slot + further * SLOT_STRIDE;
#endif
}

// output_position modulo PADDING, at most.
int most_of_outputs(int radix, int span) {
#if PADDING
    int block = radix * span;
    if (block % PADDING == 0) {
        return min(span, PADDING) - 1;
    }
    return PADDING % block == 0 ? PADDING - block + span - 1 : PADDING - 1;
#else
    return 0;
#endif
}

// The position of output 0 of butterfly b; output i is span * i positions further.
int output_position(int thread, int b, int radix, int span) {
    int j = thread + b * THREADS;
    int k = remainder(j, span);
    return (j - k) * radix + k;
}

// From the outputs of a stage of a radix to the inputs of one of `next_radix`. `number` counts the exchanges from 0.
void exchange(inout value v[POINTS], Place place, int radix, int span, int next_radix, int number) {
    int butterflies = BUTTERFLIES(radix);
    int next_butterflies = BUTTERFLIES(next_radix);
    int next_position = place.thread;
    int next_slot = slot(next_position, place.line_in_group);
    int most_read = min(THREADS, PADDING) - 1;
    int most_written = most_of_outputs(radix, span);
#if EXCHANGE == IN_TURN
    for (int component = 0; component < value(0.0).length(); ++component) {
        if (number + component > 0) {
            barrier();
        }
        for (int b = 0; b < butterflies; ++b) {
            int first = output_position(place.thread, b, radix, span);
            int first_slot = slot(first, place.line_in_group);
            if (butterfly_exists(place.thread, b, radix)) {
                for (int i = 0; i < radix; ++i) {
                    slots[slot_further(first, first_slot, i * span, most_written)] = v[b + i * butterflies][component];
                }
            }
        }
        barrier();
        for (int m = 0; m < next_radix * next_butterflies; ++m) {
            int b = m % next_butterflies;
            int further = b * THREADS + m / next_butterflies * (LENGTH / next_radix);
            if (butterfly_exists(place.thread, b, next_radix)) {
                v[m][component] = slots[slot_further(next_position, next_slot, further, most_read)];
            }
        }
    }
#else
    int array = EXCHANGE == ALTERNATE ? number % 2 * ARRAY_SLOTS : 0;
    if (EXCHANGE != ALTERNATE && number > 0) {
        barrier();
    }
    for (int b = 0; b < butterflies; ++b) {
        int first = output_position(place.thread, b, radix, span);
        int first_slot = array + slot(first, place.line_in_group);
        if (butterfly_exists(place.thread, b, radix)) {
            for (int i = 0; i < radix; ++i) {
                slots[slot_further(first, first_slot, i * span, most_written)] = v[b + i * butterflies];
            }
        }
    }
    barrier();
    for (int m = 0; m < next_radix * next_butterflies; ++m) {
        int b = m % next_butterflies;
        int further = b * THREADS + m / next_butterflies * (LENGTH / next_radix);
        if (butterfly_exists(place.thread, b, next_radix)) {
            v[m] = slots[slot_further(next_position, array + next_slot, further, most_read)];
        }
    }
#endif
}
