// The inverse transforms of spectra of real lines, two at a time as one complex line: first + i second.
//
// Defines, inputs, outputs: fft/stockham.glsl, with READS_HALF, WRITES_REAL and LINE_COUNT pairs of lines
//   REAL_LINES  in a layer; an odd last one is paired with zeros

#include "fft/stockham_real.glsl"

void main() {
    Place at = place();
    value v[POINTS];
    for (int m = 0; m < POINTS; ++m) {
        v[m] = load_of_pair(position_of(at, m), at);
    }
    all_stages(v, at, 0);
    if (at.in_picture) {
        for (int m = 0; m < POINTS; ++m) {
            store_point(position_of(at, m), 2 * at.line, at.layer, v[m]);
            if (second_exists(at)) {
                store_point(position_of(at, m), 2 * at.line + 1, at.layer, -turn(v[m]));
            }
        }
    }
}
