// A square picture within a work group: its lines are the rows first, and the columns after a turn.
//
// A thread's `position` runs along its line. After a turn, the line is a column, and positions are rows.
//
// Defines, inputs: fft/stockham.glsl, with AXIS 1, LINES = LENGTH, TURNS 1

#include "fft/stockham.glsl"

// From the last stage along one axis to the first stage along the other.
void turn(inout line_point v[POINTS], Place place) {
    int line = place.line_in_group;
#if IN_TURN
    for (int component = 0; component < line_point(0.0).length(); ++component) {
        barrier();
        for (int m = 0; m < LAST_POINTS; ++m) {
            if (register_exists(place, m, LAST_RADIX)) {
                slots[slot(position_of(place, m, LAST_RADIX), line)] = v[m][component];
            }
        }
        barrier();
        for (int m = 0; m < FIRST_POINTS; ++m) {
            if (register_exists(place, m, FIRST_RADIX)) {
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

// Both axes of the picture, rows first or columns first. `exchanges_before` counts those through shared memory.
void both_axes(inout line_point v[POINTS], Place place, int exchanges_before) {
    all_stages(v, place, exchanges_before);
    turn(v, place);
    all_stages(v, place, exchanges_before + EXCHANGES + 1);
}
