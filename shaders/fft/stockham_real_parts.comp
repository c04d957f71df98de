// The last pass over parts of complex lines that are two real ones each, or one of twice as many points: their spectra.
//
// Positions k and N - k of a line lie in two parts. A register holds a point of both: what is mirrored to a point of one is
// in the other. The numbers of the two parts add up to N, modulo that of all parts.
//
// Defines, inputs, outputs: fft/stockham_real.glsl, fft/four_step.glsl, with line_point vec4, WRITES_HERMITIAN, LINE_COUNT
// couples of parts and PARTS of these a line, of rows PARTS_ACROSS too
//   ALL_PARTS  of a line

#include "common/integers.glsl"
#include "fft/stockham_real.glsl"

#if HALVED
const int COMPLEX_POINTS = HALF_POINTS;
#else
const int COMPLEX_POINTS = LINE_POINTS;
#endif

// The sum of a position in one part and the one mirrored to it in the other.
int mirrored_sum;

int mirrored_position(int position) {
    return clamp(mirrored_sum - position, 0, PART_POINTS - 1);
}

// Points of a part, without those that a line is padded with.
const int TRANSFORM_POINTS = (COMPLEX_POINTS + ALL_PARTS - 1) / ALL_PARTS;

#include "fft/mirror.glsl"

value load_from(int part, int position, int pair, int layer) {
#if PADDED
    return multiply(load_padded(position_in_line(position, part), pair, layer), part_twiddle(position, part));
#else
    return load_point(load_start(part) + position, pair, layer);
#endif
}

void store_from(int part, int position, int pair, int layer, value z, value mirrored) {
    int k = position * ALL_PARTS + part;
#if PADDED
    int number = glfft_first_line + pair;
    if (2 * k <= COMPLEX_POINTS && is_of_picture(k, number)) {
        mirrored = multiply(mirrored, chirp_entry(k == 0 ? 0 : COMPLEX_POINTS - k));
        z = multiply(z, chirp_entry(k));
        store_spectra(k, number % WHOLE_LINES, number / WHOLE_LINES, z, k == 0 ? z : mirrored);
    }
#else
    store_spectra(k, pair, layer, z, k == 0 ? z : mirrored);
#endif
}

void main() {
    Place place = find_place();
    int pair = whole_line(place.line);
    int couple = part_of(place.line);
    int part = remainder((COMPLEX_POINTS % ALL_PARTS + 1) / 2 + couple, ALL_PARTS);
    int other = remainder(COMPLEX_POINTS + ALL_PARTS - part, ALL_PARTS);
    line_point v[POINTS];
    for (int m = 0; m < FIRST_POINTS; ++m) {
        int position = nearest_position(place, m);
        v[m] = is_loaded(m)
            ? line_point(
                  load_from(part, position, pair, place.layer), load_from(other, position, pair, place.layer))
            : line_point(0.0);
    }
    transform(v, place);
    mirrored_sum = (COMPLEX_POINTS - part - other) / ALL_PARTS;
    line_point mirrored[MIRRORED_POINTS];
    mirror(v, place, mirrored);
    for (int m = 0; m < MIRRORED_POINTS; ++m) {
        if (register_exists(place, m, LAST_RADIX)) {
            int position = position_of(place, m, LAST_RADIX);
            store_from(part, position, pair, place.layer, v[m].xy, mirrored[m].zw);
            if (other != part) {
                store_from(other, position, pair, place.layer, v[m].zw, mirrored[m].xy);
            }
        }
    }
}
