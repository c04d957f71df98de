// The last pass over parts of complex lines that are two real ones each: their spectra.
//
// Position k of a line and N - k lie in two parts, whose numbers add up to ALL_PARTS. A register holds a point of both: what is
// mirrored to a point of one is in the other.
//
// Defines, inputs, outputs: fft/stockham_real.glsl, fft/four_step.glsl, with line_point vec4, WRITES_HERMITIAN and
// PARTS
// couples of parts a line
//   ALL_PARTS  of a line

#include "common/integers.glsl"
#include "fft/stockham_real.glsl"

// The sum of a position in a part and the one mirrored to it, modulo PART_POINTS, and as much again.
int mirrored_sum;

int mirrored_position(int position) {
    return remainder(mirrored_sum - position, PART_POINTS);
}

#include "fft/mirror.glsl"

void main() {
    Place place = find_place();
    int pair = whole_line(place.line);
    int part = part_of(place.line);
    int other = part == 0 ? 0 : ALL_PARTS - part;
    line_point v[POINTS];
    for (int m = 0; m < FIRST_POINTS; ++m) {
        int position = nearest_position(place, m);
        v[m] = is_loaded(m)
            ? line_point(
                  load_point(load_start(part) + position, pair, place.layer),
                  load_point(load_start(other) + position, pair, place.layer))
            : line_point(0.0);
    }
    transform(v, place);
    mirrored_sum = 2 * PART_POINTS - (part == 0 ? 0 : 1);
    line_point mirrored[MIRRORED_POINTS];
    mirror(v, place, mirrored);
    for (int m = 0; m < MIRRORED_POINTS; ++m) {
        if (register_exists(place, m, LAST_RADIX)) {
            int start = position_of(place, m, LAST_RADIX) * ALL_PARTS;
            store_spectra(start + part, pair, place.layer, v[m].xy, mirrored[m].zw);
            if (other != part) {
                store_spectra(start + other, pair, place.layer, v[m].zw, mirrored[m].xy);
            }
        }
    }
}
