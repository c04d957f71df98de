// A transform of a square picture along both axes, in one dispatch: a work group has a whole layer.
//
// Defines, inputs, outputs: fft/stockham_pictures.glsl

#include "fft/stockham_pictures.glsl"

void main() {
    Place place = find_place();
    line_point v[POINTS];
    load_line(v, place);
    both_axes(v, place, 0);
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (register_exists(place, m, LAST_RADIX)) {
            STORE(place.line, position_of(place, m, LAST_RADIX), place.layer, v[m]);
        }
    }
}
