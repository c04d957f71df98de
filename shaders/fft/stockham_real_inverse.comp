// The inverse transforms of spectra of real lines, two at a time as one complex line: first + i second.
//
// Defines, inputs, outputs: fft/stockham.glsl, with READS_HERMITIAN, WRITES_REAL and LINE_COUNT pairs of lines
//   REAL_LINES  in a layer; an odd last one is paired with zeros

#include "fft/stockham_real.glsl"

// Whether a register of the last stage holds a point of the line.
bool is_of_line(int m, Place place) {
#if BLUESTEIN
    return is_in_line(m, place, LAST_RADIX);
#else
    return register_exists(place, m, LAST_RADIX);
#endif
}

void main() {
    Place place = find_place();
    line_point v[POINTS];
    for (int m = 0; m < FIRST_POINTS; ++m) {
        v[m] = load_of_pair(m, place);
    }
    transform(v, place);
    for (int m = 0; m < LAST_POINTS; ++m) {
        // No `continue`: with it llvmpipe (LLVM 15) took a hundred times as long to compile.
#if TARGET_REGION
        bool stored = may_be_stored(m) && is_of_line(m, place);
#else
        bool stored = is_of_line(m, place);
#endif
        if (stored) {
            int position = position_of(place, m, LAST_RADIX);
            store_point(position, 2 * place.line, place.layer, v[m]);
            if (second_exists(place)) {
                store_point(position, 2 * place.line + 1, place.layer, -times_i(v[m]));
            }
        }
    }
}
