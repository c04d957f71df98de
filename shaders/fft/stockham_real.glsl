// Two real lines, or the spectra of two, as one complex line: first + i second.
//
// Defines: REAL_LINES in a layer
//          BLUESTEIN   1: by fft/stockham_bluestein.glsl; 0: a line has LENGTH points

#include "fft/stockham.glsl"
#if BLUESTEIN
#include "fft/stockham_bluestein.glsl"
#endif

bool second_exists(Place place) {
    return REAL_LINES % 2 == 0 || 2 * place.line + 1 < REAL_LINES;
}

value load_of_pair(int m, Place place) {
#if SOURCE_REGION
    if (!may_be_loaded(m)) {
        return value(0.0);
    }
#endif
#if BLUESTEIN
    if (!in_line(m, FIRST_RADIX)) {
        return value(0.0);
    }
    int position = nearest_in_line(place, m, FIRST_RADIX);
#else
    int position = loaded_position(place, m);
#endif
    value first = load_point(position, 2 * place.line, place.layer);
    value second = load_point(position, min(2 * place.line + 1, REAL_LINES - 1), place.layer);
    return second_exists(place) ? first + times_i(second) : first;
}

void transform(inout line_point v[POINTS], Place place) {
#if BLUESTEIN
    bluestein(v, place);
#else
    all_stages(v, place, 0);
#endif
}
