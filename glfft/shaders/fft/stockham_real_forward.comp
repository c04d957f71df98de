// The transforms of real lines, two at a time as one complex line: with z = first + i second,
//     first[k] = (Z[k] + conj(Z[N - k])) / 2,  second[k] = (Z[k] - conj(Z[N - k])) / 2i,
// of which positions up to N / 2 are stored.
//
// Defines, inputs, outputs: fft/stockham.glsl, with READS_REAL, WRITES_HALF and LINE_COUNT pairs of lines
//   REAL_LINES  in a layer; an odd last one is paired with zeros

#include "fft/stockham_real.glsl"
#include "fft/mirror.glsl"

void main() {
    Place at = place();
    value v[POINTS];
    for (int m = 0; m < POINTS; ++m) {
        v[m] = load_of_pair(position_of(at, m), at);
    }
    all_stages(v, at, 0);
    value mirrored[MIRRORED_POINTS];
    mirror(v, at, mirrored);
    if (at.in_picture) {
        for (int m = 0; m < MIRRORED_POINTS; ++m) {
            value sum = v[m] + conjugate(mirrored[m]);
            value difference = v[m] - conjugate(mirrored[m]);
            store_point(position_of(at, m), 2 * at.line, at.layer, 0.5 * sum);
            if (second_exists(at)) {
                store_point(position_of(at, m), 2 * at.line + 1, at.layer, -0.5 * turn(difference));
            }
        }
    }
}
