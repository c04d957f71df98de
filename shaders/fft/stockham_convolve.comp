// A transform of lines, a product with each point of the spectrum, and the inverse transform, in one dispatch.
//
// Both transforms are the same code: the inverse of F is the conjugate of the forward transform of F's conjugate.
//
// Defines, inputs, outputs: fft/stockham.glsl, with DIRECTION -1
//   SPECTRUM_SCALE          the forward transform's normalisation; SCALE is the inverse one's
//   ENDS_AS_IT_BEGINS       1: a thread has the same positions before the first stage and after the last
// Generated:
//   generated/multiply.glsl value product(ivec3 at, value spectrum)

#include "fft/stockham.glsl"
#include "generated/multiply.glsl"

void main() {
    Place place = find_place();
    value v[POINTS];
    load_line(v, place);
    all_stages(v, place, 0);
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (register_exists(place, m, LAST_RADIX)) {
            ivec3 at = texel(position_of(place, m, LAST_RADIX), place.line, place.layer);
            v[m] = conjugate(product(at, v[m] * float(SPECTRUM_SCALE)));
        }
    }
#if ENDS_AS_IT_BEGINS
    all_stages(v, place, EXCHANGES);
#else
    exchange(v, place, LAST_RADIX, LENGTH / LAST_RADIX, FIRST_RADIX, EXCHANGES, LAST_PADDING);
    all_stages(v, place, EXCHANGES + 1);
#endif
    for (int m = 0; m < LAST_POINTS; ++m) {
        v[m] = conjugate(v[m]);
    }
    store_line(v, place);
}
