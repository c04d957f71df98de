// A transform of lines, a product with each point of the spectrum, and the inverse transform, in one dispatch.
//
// Both transforms are the same code: the inverse of F is the conjugate of the forward transform of F's conjugate.
//
// Defines, inputs, outputs: fft/stockham.glsl, with DIRECTION -1
//   SPECTRUM_SCALE          the forward transform's normalisation; SCALE is the inverse one's
//   IN_A_LOOP               1: both transforms are one loop's turns, as caches of instructions hold so many
// Generated:
//   generated/multiply.glsl value product(ivec3 at, value spectrum)

#include "fft/stockham.glsl"
#include "fft/stages_again.glsl"
#include "generated/multiply.glsl"

#if BOTH_AXES
// The product at a point of the spectrum. That of a real picture has the half that is not redundant.
value product_at(int position, Place place, value spectrum) {
    ivec2 point = in_columns(position);
    ivec3 at = texel(point.x, point.y, place.line);
#if READS_REAL
    if (at.x > COLUMNS / 2) {
        ivec3 mirrored = ivec3(COLUMNS - at.x, at.y == 0 ? 0 : ROWS - at.y, at.z);
        // The maximum hides the differences from NVIDIA's compiler, see storage/texture.glsl.
        return conjugate(product(max(mirrored, 0), conjugate(spectrum)));
    }
#endif
    return product(at, spectrum);
}
#else
value product_at(int position, Place place, value spectrum) {
    return product(texel(position, place.line, place.layer), spectrum);
}
#endif

// The conjugate of the product at each point, from where the last stage leaves them.
void multiply_line(inout line_point v[POINTS], Place place) {
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (register_exists(place, m, LAST_RADIX)) {
            v[m] = conjugate(product_at(position_of(place, m, LAST_RADIX), place, v[m] * float(SPECTRUM_SCALE)));
        }
    }
}

void main() {
    Place place = find_place();
    line_point v[POINTS];
    load_line(v, place);
#if IN_A_LOOP
    // Compilers do not know that there are two turns, and keep one copy of the stages.
    int turns = min(int(gl_NumWorkGroups.x), 1) + 1;
    for (int turn = 0; turn < turns; ++turn) {
        all_stages(v, place, 1);
        if (turn == 0) {
            multiply_line(v, place);
#if !ENDS_AS_IT_BEGINS
            exchange_to_first_stage(v, place);
#endif
        }
    }
#else
#if STAGED
    all_stages(v, place, 1); // as shared memory was read before
#else
    all_stages(v, place, 0);
#endif
    multiply_line(v, place);
    all_stages_again(v, place);
#endif
    for (int m = 0; m < END_POINTS; ++m) {
        v[m] = conjugate(v[m]);
    }
    store_line(v, place);
}
