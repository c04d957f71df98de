// The transforms of real lines as complex ones.
//
// Defines, inputs, outputs: fft/stockham_real.glsl, with READS_REAL, WRITES_HERMITIAN and LINE_COUNT lines or pairs of them

#include "common/integers.glsl"
#include "fft/stockham_real.glsl"

// Of position k, N - k.
int mirrored_position(int position) {
    return remainder(2 * TRANSFORM_POINTS - position, TRANSFORM_POINTS);
}

#include "fft/mirror.glsl"

void main() {
    Place place = find_place();
    line_point v[POINTS];
    for (int m = 0; m < FIRST_POINTS; ++m) {
        v[m] = line_point(0.0);
        if (is_loaded(m)) {
            v[m] = load_two(nearest_position(place, m), place.line, place.layer);
        }
    }
    transform(v, place);
    line_point mirrored[MIRRORED_POINTS];
    mirror(v, place, mirrored);
    for (int m = 0; m < MIRRORED_POINTS; ++m) {
        if (register_exists(place, m, LAST_RADIX)) {
            store_spectra(position_of(place, m, LAST_RADIX), place.line, place.layer, v[m], mirrored[m]);
        }
    }
}
