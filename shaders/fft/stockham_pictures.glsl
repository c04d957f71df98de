// A square picture within a work group: its lines are those of one axis first, and those of the other after a turn.
//
// A thread's `position` runs along its line. After a turn, the line has the number that the position had before.
//
// Defines, inputs: fft/stockham.glsl, with LINES = LENGTH, TURNS 1

#include "fft/stockham.glsl"

#if IN_TURN
// Whether register m, before and after the turn, is in the piece of a trip. What goes to the lines of a piece comes from
// registers that get what their lines give: no register is overwritten before it is stored.
bool is_turned(int m, int line, int trip) {
    return PIECES == 1 || (m * PIECES / POINTS + line / LINES_AT_ONCE) % PIECES == trip / NUMBERS;
}
#endif

// From the last stage along one axis to the first stage along the other.
void turn(inout line_point v[POINTS], Place place) {
    int line = place.line_in_group;
#if IN_TURN
    for (int trip = 0; trip < TRIPS; ++trip) {
        int component = trip % NUMBERS;
        barrier();
        for (int m = 0; m < LAST_POINTS; ++m) {
            if (is_turned(m, line, trip) && register_exists(place, m, LAST_RADIX)) {
                slots[slot(position_of(place, m, LAST_RADIX), line)] = v[m][component];
            }
        }
        barrier();
        for (int m = 0; m < FIRST_POINTS; ++m) {
            if (is_turned(m, line, trip) && register_exists(place, m, FIRST_RADIX)) {
                v[m][component] = slots[slot(line, position_of(place, m, FIRST_RADIX))];
            }
        }
    }
#else
    barrier();
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (register_exists(place, m, LAST_RADIX)) {
            slots[slot(position_of(place, m, LAST_RADIX), line)] = v[m];
        }
    }
    barrier();
    for (int m = 0; m < FIRST_POINTS; ++m) {
        if (register_exists(place, m, FIRST_RADIX)) {
            v[m] = slots[slot(line, position_of(place, m, FIRST_RADIX))];
        }
    }
#endif
}

// Both axes of the picture. `exchanges_before` counts those through shared memory.
void both_axes(inout line_point v[POINTS], Place place, int exchanges_before) {
    all_stages(v, place, exchanges_before);
    turn(v, place);
    all_stages(v, place, exchanges_before + EXCHANGES + 1);
}
