// Between two stages: each thread hands its outputs to the threads that own their positions in the next stage.
//
// barrier() alone orders the accesses to shared memory around it (GLSL 4.50, section 4.3.8); memoryBarrierShared() before
// it adds nothing but time (docs/performance.md).
//
// Defines:
//   LENGTH, THREADS, POINTS, LINES, LINES_SIDE_BY_SIDE   of the kernel
//   LINE_SLOTS  slots of shared memory a line, with those left free
//   EXCHANGE  AT_ONCE    whole values through one array
//             IN_TURN    real and imaginary parts one after the other through one float array: less shared memory, so
//                        more groups at work, for more barriers
//             ALTERNATE  whole values through two arrays in turn: one barrier an exchange, for twice the memory

#include "common/value.glsl"

#define AT_ONCE 0
#define IN_TURN 1
#define ALTERNATE 2

// In an exchange, `free` slots are left free after every `period` positions of a line, so that strided accesses spread over
// the banks. A period of 0: none.
struct Padding {
    int period;
    int free;
};

const Padding NO_PADDING = Padding(0, 0);

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

int padded(int position, Padding padding) {
    // Unsigned, so that a division by a power of two is a shift.
    return padding.period > 0 ? position + int(uint(position) / uint(padding.period)) * padding.free : position;
}

int slot(int position, int line_in_group, Padding padding) {
    return padded(position, padding) * SLOT_STRIDE + line_in_group * (LINES_SIDE_BY_SIDE ? 1 : LINE_SLOTS);
}

// The slot `further` positions on from one whose slot is known. Where the two parts of a position within a period never add
// up to one, that is a constant away, and one address serves all registers of a thread. `most` is the first part, at most.
int slot_further(int position, int its_slot, int further, int most, Padding padding) {
    bool constant = padding.period == 0 || most + further % max(padding.period, 1) < padding.period;
    int distance = constant ? padded(further, padding) : padded(position + further, padding) - padded(position, padding);
    return its_slot + distance * SLOT_STRIDE;
}

// The remainder of output_position in a period, at most.
int most_of_outputs(int radix, int span, int period) {
    int block = radix * span;
    bool periods_fit = period > 0 && block % max(period, 1) == 0;
    bool blocks_fit = period % block == 0;
    return periods_fit ? min(span, period) - 1 : blocks_fit ? period - block + span - 1 : period - 1;
}

// The position of output 0 of butterfly b; output i is span * i positions further.
int output_position(int thread, int b, int radix, int span) {
    int j = thread + b * THREADS;
    int k = remainder(j, span);
    return (j - k) * radix + k;
}

// From the outputs of a stage of a radix to the inputs of one of `next_radix`. `number` counts the exchanges from 0.
void exchange(inout value v[POINTS], Place place, int radix, int span, int next_radix, int number, Padding padding) {
    int butterflies = BUTTERFLIES(radix);
    int next_butterflies = BUTTERFLIES(next_radix);
    int next_position = place.thread;
    int next_slot = slot(next_position, place.line_in_group, padding);
    int most_read = min(THREADS, padding.period) - 1;
    int most_written = most_of_outputs(radix, span, padding.period);
#if EXCHANGE == IN_TURN
    for (int component = 0; component < value(0.0).length(); ++component) {
        if (number + component > 0) {
            barrier();
        }
        for (int b = 0; b < butterflies; ++b) {
            int first = output_position(place.thread, b, radix, span);
            int first_slot = slot(first, place.line_in_group, padding);
            if (butterfly_exists(place.thread, b, radix)) {
                for (int i = 0; i < radix; ++i) {
                    slots[slot_further(first, first_slot, i * span, most_written, padding)] = v[b + i * butterflies][component];
                }
            }
        }
        barrier();
        for (int m = 0; m < next_radix * next_butterflies; ++m) {
            int b = m % next_butterflies;
            int further = b * THREADS + m / next_butterflies * (LENGTH / next_radix);
            if (butterfly_exists(place.thread, b, next_radix)) {
                v[m][component] = slots[slot_further(next_position, next_slot, further, most_read, padding)];
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
        int first_slot = array + slot(first, place.line_in_group, padding);
        if (butterfly_exists(place.thread, b, radix)) {
            for (int i = 0; i < radix; ++i) {
                slots[slot_further(first, first_slot, i * span, most_written, padding)] = v[b + i * butterflies];
            }
        }
    }
    barrier();
    for (int m = 0; m < next_radix * next_butterflies; ++m) {
        int b = m % next_butterflies;
        int further = b * THREADS + m / next_butterflies * (LENGTH / next_radix);
        if (butterfly_exists(place.thread, b, next_radix)) {
            v[m] = slots[slot_further(next_position, array + next_slot, further, most_read, padding)];
        }
    }
#endif
}
