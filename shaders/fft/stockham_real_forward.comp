// The transforms of real lines, two at a time as one complex line: with z = first + i second,
//     first[k] = (Z[k] + conj(Z[N - k])) / 2,  second[k] = (Z[k] - conj(Z[N - k])) / 2i,
// of which positions up to N / 2 are stored.
//
// Defines, inputs, outputs: fft/stockham.glsl, with READS_REAL, WRITES_HERMITIAN and LINE_COUNT pairs of lines
//   REAL_LINES  in a layer; an odd last one is paired with zeros

#include "common/integers.glsl"
#include "fft/stockham_real.glsl"

// Of position k, N - k.
int mirrored_position(int position) {
    return remainder(2 * LINE_POINTS - position, LINE_POINTS);
}

#include "fft/mirror.glsl"

void main() {
    Place place = find_place();
    line_point v[POINTS];
    for (int m = 0; m < FIRST_POINTS; ++m) {
        v[m] = load_of_pair(m, place);
    }
    transform(v, place);
    line_point mirrored[MIRRORED_POINTS];
    mirror(v, place, mirrored);
    for (int m = 0; m < MIRRORED_POINTS; ++m) {
        if (register_exists(place, m, LAST_RADIX)) {
            int position = position_of(place, m, LAST_RADIX);
            value sum = v[m] + conjugate(mirrored[m]);
            value difference = v[m] - conjugate(mirrored[m]);
            store_point(position, 2 * place.line, place.layer, 0.5 * sum);
            if (second_exists(place)) {
                store_point(position, 2 * place.line + 1, place.layer, -0.5 * times_i(difference));
            }
        }
    }
}
