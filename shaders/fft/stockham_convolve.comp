// A transform of lines, a product with each point of the spectrum, and the inverse transform, in one dispatch.
//
// Both transforms are the same code: the inverse of F is the conjugate of the forward transform of F's conjugate.
//
// Defines, inputs, outputs: fft/stockham.glsl, with DIRECTION -1
//   SPECTRUM_SCALE          the forward transform's normalisation; SCALE is the inverse one's
// Generated:
//   generated/multiply.glsl value product(ivec3 at, value spectrum)

#include "fft/stockham.glsl"
#include "fft/stages_again.glsl"
#include "generated/multiply.glsl"

void main() {
    Place place = find_place();
    line_point v[POINTS];
    load_line(v, place);
    all_stages(v, place, 0);
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (register_exists(place, m, LAST_RADIX)) {
            ivec3 at = texel(position_of(place, m, LAST_RADIX), place.line, place.layer);
            v[m] = conjugate(product(at, v[m] * float(SPECTRUM_SCALE)));
        }
    }
    all_stages_again(v, place);
    for (int m = 0; m < LAST_POINTS; ++m) {
        v[m] = conjugate(v[m]);
    }
    store_line(v, place);
}
