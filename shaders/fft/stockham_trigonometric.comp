// The cosine or sine transforms of real lines in one dispatch.
//
// Defines, inputs, outputs: fft/stockham.glsl, fft/trigonometric_lines.glsl, fft/mirror.glsl, with READS_REAL and WRITES_REAL,
// and LINE_COUNT lines, or pairs of lines
//   BLUESTEIN   1: by fft/stockham_bluestein.glsl; 0: TRANSFORM_POINTS is LENGTH

#if LOAD_SNIPPET || STORE_SNIPPET
// As in stockham.comp: cosine transforms took up to 12 times as long.
#pragma optionNV(unroll all)
#endif

#include "fft/stockham.glsl"
#include "fft/trigonometric_lines.glsl"
#if BLUESTEIN
#include "fft/stockham_bluestein.glsl"
#endif
#if TYPE == 2 || TYPE == 4
#include "fft/mirror.glsl"
#elif MOVES_POINTS
#include "fft/moved_points.glsl"
#endif

void main() {
    Place place = find_place();
    line_point v[POINTS];
    for (int m = 0; m < FIRST_POINTS; ++m) {
#if BLUESTEIN
        v[m] = in_line(m, FIRST_RADIX)
            ? transform_input(nearest_in_line(place, m, FIRST_RADIX), place.line, place.layer)
            : line_point(0.0);
#elif MOVES_POINTS
        v[m] = read_real(loaded_position(place, m), place.line, place.layer);
#else
        v[m] = transform_input(loaded_position(place, m), place.line, place.layer);
#endif
    }
#if BLUESTEIN
    bluestein(v, place);
#elif MOVES_POINTS
    add_mirrored(v, place);
    for (int m = 0; m < FIRST_POINTS; ++m) {
        v[m] = multiply(v[m], factor(loaded_position(place, m)));
    }
    all_stages(v, place, 1); // as shared memory was read before
    put_in_order(v, place);
#else
    all_stages(v, place, 0);
#endif
#if TYPE == 2 || TYPE == 4
    line_point mirrored[MIRRORED_POINTS];
    mirror(v, place, mirrored);
    for (int m = 0; m < MIRRORED_POINTS; ++m) {
        int position = position_of(place, m, LAST_RADIX);
        if (register_exists(place, m, LAST_RADIX) && is_first_of_two(position)) {
            store_folded(position, place.line, place.layer, v[m], mirrored[m]);
        }
    }
#else
    for (int m = 0; m < LAST_POINTS; ++m) {
        int position = position_of(place, m, LAST_RADIX);
        if (register_exists(place, m, LAST_RADIX) && position < TRANSFORM_POINTS) {
#if MOVES_POINTS
            write_real(position, place.line, place.layer, SINE == 1 && position % 2 == 1 ? -v[m] : v[m]);
#else
            store_output(position, place.line, place.layer, v[m]);
#endif
        }
    }
#endif
}
