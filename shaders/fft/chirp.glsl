// The chirp c[n] = exp(CHIRP_DIRECTION * pi i n^2 / N), and what is made of it, as tables have it: for forward transforms.
//
// Defines: CHIRP_DIRECTION  -1 forward, +1 inverse, which takes the conjugates
//          CHIRP_OFFSET     where the chirp, or what else is read, begins in the table of twiddle factors

#include "common/twiddle.glsl"

complex chirp_entry(int index) {
    complex c = table_entry(CHIRP_OFFSET + index);
    return CHIRP_DIRECTION < 0 ? c : conjugate(c);
}
