// A transform of lines of any length in one dispatch, by Bluestein's algorithm.
//
// Defines, inputs, outputs: fft/stockham.glsl, fft/stockham_bluestein.glsl

#define CHIRPS

#include "fft/stockham.glsl"
#include "fft/stockham_bluestein.glsl"

void main() {
    Place place = find_place();
    value v[POINTS];
    for (int m = 0; m < FIRST_POINTS; ++m) {
        v[m] = in_line(m, FIRST_RADIX)
            ? load_of_lines(nearest_in_line(place, m, FIRST_RADIX), place.line, place.layer)
            : value(0.0);
    }
    bluestein(v, place);
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (is_in_line(m, place, LAST_RADIX)) {
            store_of_lines(position_of(place, m, LAST_RADIX), place.line, place.layer, v[m]);
        }
    }
}
