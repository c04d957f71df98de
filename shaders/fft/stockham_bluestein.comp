// A transform of lines of any length in one dispatch, by Bluestein's algorithm.
//
// Defines, inputs, outputs: fft/stockham.glsl, fft/stockham_bluestein.glsl

#if LOAD_SNIPPET || STORE_SNIPPET
// As in stockham.comp.
#pragma optionNV(unroll all)
#endif

#include "fft/stockham.glsl"
#include "fft/stockham_bluestein.glsl"

void main() {
    Place place = find_place();
    line_point v[POINTS];
    for (int m = 0; m < FIRST_POINTS; ++m) {
        v[m] = in_line(m, FIRST_RADIX)
            ? LOAD(nearest_in_line(place, m, FIRST_RADIX), place.line, place.layer)
            : line_point(0.0);
    }
    bluestein(v, place);
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (is_in_line(m, place, LAST_RADIX)) {
            STORE(position_of(place, m, LAST_RADIX), place.line, place.layer, v[m]);
        }
    }
}
