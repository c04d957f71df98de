// Two real lines, or the spectra of two, as one complex line: first + i second.
//
// Defines: REAL_LINES in a layer

#include "fft/stockham.glsl"

bool second_exists(Place at) {
    return REAL_LINES % 2 == 0 || 2 * at.line + 1 < REAL_LINES;
}

value load_of_pair(int position, Place at) {
    value pair = value(0.0);
    if (at.in_picture) {
        pair = load_point(position, 2 * at.line, at.layer);
        if (second_exists(at)) {
            pair += turn(load_point(position, 2 * at.line + 1, at.layer));
        }
    }
    return pair;
}
