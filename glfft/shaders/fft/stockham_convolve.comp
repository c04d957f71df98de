// A transform of lines, a product with each point of the spectrum, and the inverse transform, in one dispatch.
//
// Both transforms are the same code: the inverse of F is the conjugate of the forward transform of F's conjugate.
//
// Defines, inputs, outputs: fft/stockham.glsl, with DIRECTION -1
//   SPECTRUM_SCALE          the forward transform's normalisation; SCALE is the inverse one's
// Generated:
//   generated/multiply.glsl value product(ivec3 at, value spectrum)

#include "fft/stockham.glsl"
#include "generated/multiply.glsl"

void main() {
    Place at = place();
    value v[POINTS];
    load_line(v, at);
    all_stages(v, at, 0);
    if (at.in_picture) {
        for (int m = 0; m < POINTS; ++m) {
            ivec3 where = texel(position_of(at, m), at.line, at.layer);
            v[m] = conjugate(product(where, v[m] * float(SPECTRUM_SCALE)));
        }
    }
    all_stages(v, at, EXCHANGES);
    for (int m = 0; m < POINTS; ++m) {
        v[m] = conjugate(v[m]);
    }
    store_line(v, at);
}
