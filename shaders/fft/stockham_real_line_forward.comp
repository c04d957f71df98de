// The transforms of real lines, each as a complex line of half as many points.
//
// Defines, inputs, outputs: fft/stockham_real_line.glsl, with READS_REAL and WRITES_HERMITIAN

#include "fft/stockham_real_line.glsl"

// Of position k, M - k.
int mirrored_position(int position) {
    return remainder(2 * CHIRP_POINTS - position, CHIRP_POINTS);
}

#include "fft/mirror.glsl"

void main() {
    Place place = find_place();
    line_point v[POINTS];
    for (int m = 0; m < FIRST_POINTS; ++m) {
        v[m] = line_point(0.0);
        if (in_line(m, FIRST_RADIX)) {
            int n = nearest_in_line(place, m, FIRST_RADIX);
            v[m] = load_point(2 * n, place.line, place.layer);
            v[m] += times_i(load_point(2 * n + 1, place.line, place.layer));
        }
    }
    bluestein(v, place);
    line_point mirrored[MIRRORED_POINTS];
    mirror(v, place, mirrored);
    for (int m = 0; m < MIRRORED_POINTS; ++m) {
        int k = position_of(place, m, LAST_RADIX);
        if (register_exists(place, m, LAST_RADIX) && 2 * k <= CHIRP_POINTS) {
            value even = 0.5 * (v[m] + conjugate(mirrored[m]));
            value odd = multiply(-0.5 * times_i(v[m] - conjugate(mirrored[m])), root(k));
            store_point(k, place.line, place.layer, even + odd);
            if (2 * k < CHIRP_POINTS) {
                store_point(CHIRP_POINTS - k, place.line, place.layer, conjugate(even - odd));
            }
        }
    }
}
