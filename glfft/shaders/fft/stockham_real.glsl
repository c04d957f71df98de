// Two real lines, or the spectra of two, as one complex line: first + i second.
//
// Defines: REAL_LINES in a layer

#include "fft/stockham.glsl"

bool second_exists(Place place) {
    return REAL_LINES % 2 == 0 || 2 * place.line + 1 < REAL_LINES;
}

value load_of_pair(int m, Place place) {
    value pair = value(0.0);
    if (register_exists(place, m, FIRST_RADIX)) {
        int position = position_of(place, m, FIRST_RADIX);
        pair = load_point(position, 2 * place.line, place.layer);
        if (second_exists(place)) {
            pair += times_i(load_point(position, 2 * place.line + 1, place.layer));
        }
    }
    return pair;
}
