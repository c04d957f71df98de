// Two real lines, or the spectra of two, as one complex line: first + i second.
//
// Defines: REAL_LINES in a layer

#include "fft/stockham.glsl"

bool second_exists(Place place) {
    return REAL_LINES % 2 == 0 || 2 * place.line + 1 < REAL_LINES;
}

value load_of_pair(int m, Place place) {
#if SOURCE_REGION
    if (!may_be_loaded(m)) {
        return value(0.0);
    }
#endif
    int position = loaded_position(place, m);
    value first = load_point(position, 2 * place.line, place.layer);
    value second = load_point(position, min(2 * place.line + 1, REAL_LINES - 1), place.layer);
    return second_exists(place) ? first + times_i(second) : first;
}
