// A transform of a square picture along both axes, a product with each point of the spectrum, and the inverse transform,
// in one dispatch. See fft/stockham_convolve.comp.
//
// Defines, inputs, outputs: fft/stockham_pictures.glsl, with DIRECTION -1
//   SPECTRUM_SCALE          the forward transform's normalisation; SCALE is the inverse one's
// Generated:
//   generated/multiply.glsl value product(ivec3 at, value spectrum)

#include "fft/stockham_pictures.glsl"
#include "fft/stages_again.glsl"
#include "generated/multiply.glsl"

// The product at a place of the spectrum. Of a real picture's, it is asked for within the half that is not redundant.
value product_anywhere(ivec3 at, value spectrum) {
#if READS_REAL
    if (at.x > COLUMNS / 2) {
        ivec3 mirrored = ivec3(COLUMNS - at.x, at.y == 0 ? 0 : ROWS - at.y, at.z);
        // The maximum hides the differences from NVIDIA's compiler, see storage/texture.glsl.
        return conjugate(product(max(mirrored, 0), conjugate(spectrum)));
    }
#endif
    return product(at, spectrum);
}

void main() {
    Place place = find_place();
    line_point v[POINTS];
    load_line(v, place);
    both_axes(v, place, 0);
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (register_exists(place, m, LAST_RADIX)) {
            ivec3 at = texel(place.line, position_of(place, m, LAST_RADIX), place.layer);
            v[m] = conjugate(product_anywhere(at, v[m] * float(SPECTRUM_SCALE)));
        }
    }
    // The axis that is transformed last is transformed back first.
    all_stages_again(v, place);
    turn(v, place);
    all_stages(v, place, EXCHANGES + 1);
    for (int m = 0; m < LAST_POINTS; ++m) {
        v[m] = conjugate(v[m]);
    }
    store_line(v, place);
}
