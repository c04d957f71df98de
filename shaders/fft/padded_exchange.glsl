// The exchange of fft/exchange.glsl with strided accesses spread over the banks of shared memory.

#if SWAPS
// In every `period` positions, the first `turns` runs of `span` change places, by other bits in each period, and no slot is
// left free. All are powers of two, 0 where runs stay. So a work group takes less shared memory, and more of them fit.
struct Padding {
    int period;
    int turns;
    int span;
};

int padded(int position, Padding padding) {
    int turn = padding.turns > 0 ? int(uint(position) / uint(padding.period) % uint(padding.turns)) : 0;
    return position ^ turn * padding.span;
}

// The slot `further` positions on from one whose slot is known: no bit is set in both numbers.
int slot_further(int position, int its_slot, int further, int most, Padding padding) {
    return padding.turns > 0 ? its_slot ^ padded(further, padding) * SLOT_STRIDE : its_slot + further * SLOT_STRIDE;
}
#else
// `free` slots are left free after every `period` positions of a line. A period of 0: none.
struct Padding {
    int period;
    int free;
};

int padded(int position, Padding padding) {
    // Unsigned, so that a division by a power of two is a shift.
    return padding.period > 0 ? position + int(uint(position) / uint(padding.period)) * padding.free : position;
}

// The slot `further` positions on from one whose slot is known. Where the two parts of a position within a period never add
// up to one, that is a constant away, and one address serves all registers of a thread. `most` is the first part, at most.
int slot_further(int position, int its_slot, int further, int most, Padding padding) {
    bool constant = padding.period == 0 || most + further % max(padding.period, 1) < padding.period;
    int distance = constant ? padded(further, padding) : padded(position + further, padding) - padded(position, padding);
    return its_slot + distance * SLOT_STRIDE;
}
#endif

// The remainder of output_position in a period, at most.
int most_of_outputs(int radix, int span, int period) {
    int block = radix * span;
    bool periods_fit = period > 0 && block % max(period, 1) == 0;
    bool blocks_fit = period % block == 0;
    return periods_fit ? min(span, period) - 1 : blocks_fit ? period - block + span - 1 : period - 1;
}

#if PIECES > 1
#include "fft/exchange_in_pieces.glsl"
#else
// From the outputs of a stage of a radix to the inputs of one of `next_radix`. `number` counts the exchanges from 0.
void exchange(inout line_point v[POINTS], inout Place place, int radix, int span, int next_radix, int number, Padding padding) {
    int butterflies = BUTTERFLIES(radix);
    int next_butterflies = BUTTERFLIES(next_radix);
    Place next = place;
#if TURNS_LINES
    if (number == 0) {
        next = turned_place();
    }
#endif
    int next_slot = slot(padded(next.thread, padding), next.line_in_group);
    int most_read = min(THREADS, padding.period) - 1;
    int most_written = most_of_outputs(radix, span, padding.period);
#if IN_TURN
    for (int component = 0; component < NUMBERS; ++component) {
        if (number + component > 0) {
            barrier();
        }
        for (int b = 0; b < butterflies; ++b) {
            int first = output_position(place.thread, b, radix, span);
            int first_slot = slot(padded(first, padding), place.line_in_group);
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
            if (butterfly_exists(next.thread, b, next_radix)) {
                v[m][component] = slots[slot_further(next.thread, next_slot, further, most_read, padding)];
            }
        }
    }
#else
#if ALTERNATE
    int array = number % 2 * ARRAY_SLOTS;
    next_slot += array;
#else
    if (number > 0) {
        barrier();
    }
#endif
    for (int b = 0; b < butterflies; ++b) {
        int first = output_position(place.thread, b, radix, span);
        int first_slot = slot(padded(first, padding), place.line_in_group);
#if ALTERNATE
        first_slot += array;
#endif
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
        if (butterfly_exists(next.thread, b, next_radix)) {
            v[m] = slots[slot_further(next.thread, next_slot, further, most_read, padding)];
        }
    }
#endif
#if TURNS_LINES
    place = next;
#endif
}
#endif
