// Real lines, or the spectra of such, two at a time or each as a complex one of half as many points.
//
// Defines: those of fft/stockham.glsl and fft/real_lines.glsl or fft/real_halves.glsl
//          HALVED      1: the latter
//          TRANSFORM_POINTS   of a complex line
//          BLUESTEIN   1: by fft/stockham_bluestein.glsl; 0: a line has LENGTH points

#include "fft/stockham.glsl"
#if HALVED
#include "fft/real_halves.glsl"
#elif PARTS == 1
#include "fft/real_lines.glsl"
#endif
#if BLUESTEIN
#include "fft/stockham_bluestein.glsl"
#endif

// Whether a register of the first stage holds a point of the line, in any thread.
bool is_loaded(int m) {
#if BLUESTEIN
    return in_line(m, FIRST_RADIX);
#elif PARTS == 1 && SOURCE_REGION
    return may_be_loaded(m);
#else
    return true;
#endif
}

int nearest_position(Place place, int m) {
#if BLUESTEIN
    return nearest_in_line(place, m, FIRST_RADIX);
#else
    return loaded_position(place, m);
#endif
}

#if STAGED
#define STAGED_LOAD load_two
#define STAGED_POINTS 0
#define STAGED_PAIRS !HALVED
#if READS_HERMITIAN
#define STAGED_STORE store_two
#endif
#include "fft/staged_lines.glsl"
#endif

#if PARTS == 1
void load_lines(out line_point v[POINTS], Place place) {
#if STAGED
    load_staged(v, place);
#else
    for (int m = 0; m < FIRST_POINTS; ++m) {
        v[m] = line_point(0.0);
        if (is_loaded(m)) {
            v[m] = load_two(nearest_position(place, m), place.line, place.layer);
        }
    }
#endif
}
#endif

void transform(inout line_point v[POINTS], Place place) {
#if BLUESTEIN
    bluestein(v, place);
#else
#if STAGED
    all_stages(v, place, 1); // as shared memory was read before
#else
    all_stages(v, place, 0);
#endif
#endif
}
