// The inverse transforms of spectra of real lines, each as a complex line of half as many points.
//
// Defines, inputs, outputs: fft/stockham_real_line.glsl, with READS_HERMITIAN and WRITES_REAL

#include "fft/stockham_real_line.glsl"

void main() {
    Place place = find_place();
    line_point v[POINTS];
    for (int m = 0; m < FIRST_POINTS; ++m) {
        v[m] = line_point(0.0);
        if (in_line(m, FIRST_RADIX)) {
            int k = nearest_in_line(place, m, FIRST_RADIX);
            value first = load_point(k, place.line, place.layer);
            value second = conjugate(load_point(CHIRP_POINTS - k, place.line, place.layer));
            v[m] = first + second + times_i(multiply(first - second, conjugate(root(k))));
        }
    }
    bluestein(v, place);
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (is_in_line(m, place, LAST_RADIX)) {
            int n = position_of(place, m, LAST_RADIX);
            store_point(2 * n, place.line, place.layer, v[m]);
            store_point(2 * n + 1, place.line, place.layer, -times_i(v[m]));
        }
    }
}
