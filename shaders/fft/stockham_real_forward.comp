// The transforms of real lines as complex ones.
//
// Defines, inputs, outputs: fft/stockham_real.glsl, with READS_REAL, WRITES_HERMITIAN and LINE_COUNT lines or pairs of them

#if LOAD_SNIPPET
// NVIDIA's compiler (580.159) left points in memory where a snippet computes much: passes took six times as long.
#pragma optionNV(unroll all)
#endif

#include "common/integers.glsl"
#include "fft/stockham_real.glsl"

// N - k, for position k.
int mirrored_position(int position) {
    return remainder(2 * TRANSFORM_POINTS - position, TRANSFORM_POINTS);
}

#if !STAGED
#include "fft/mirror.glsl"
#endif

void main() {
    Place place = find_place();
    line_point v[POINTS];
    load_lines(v, place);
    transform(v, place);
#if STAGED
    stage(v, place, LAST_RADIX);
    Place first = place_of(0, 0);
    const int spectrum_points = TRANSFORM_POINTS / 2 + 1;
    int points = staged_points(first, spectrum_points);
    for (int round = 0; round < ROUNDS(spectrum_points); ++round) {
        ivec2 point = staged_point(staged_number(round), spectrum_points);
        if (staged_number(round) < points) {
            line_point z = slots[slot(point.x, point.y)];
            line_point mirrored = slots[slot(point.x > 0 ? LENGTH - point.x : 0, point.y)];
            store_spectra(point.x, first.line + point.y, first.layer, z, mirrored);
        }
    }
#else
    line_point mirrored[MIRRORED_POINTS];
    mirror(v, place, mirrored);
    for (int m = 0; m < MIRRORED_POINTS; ++m) {
        if (register_exists(place, m, LAST_RADIX)) {
            store_spectra(position_of(place, m, LAST_RADIX), place.line, place.layer, v[m], mirrored[m]);
        }
    }
#endif
}
