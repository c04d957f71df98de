// The inverse transforms of spectra of real lines as complex ones.
//
// Defines, inputs, outputs: fft/stockham_real.glsl, with READS_HERMITIAN, WRITES_REAL and LINE_COUNT lines or pairs of them

// NVIDIA's compiler (580.159) left the points of threads with 28 or more in memory where a region is stored: rows of
// 2688 took ten times as long.
#pragma optionNV(unroll all)

#include "fft/stockham_real.glsl"

// Whether a register of the last stage holds a point of the line, in this thread.
bool is_stored(int m, Place place) {
#if BLUESTEIN
    bool exists = is_in_line(m, place, LAST_RADIX);
#else
    bool exists = register_exists(place, m, LAST_RADIX);
#endif
#if TARGET_REGION
    return may_be_stored(m) && exists;
#else
    return exists;
#endif
}

void main() {
    Place place = find_place();
    line_point v[POINTS];
    load_lines(v, place);
    transform(v, place);
#if STAGED
    store_staged(v, place);
#else
    for (int m = 0; m < LAST_POINTS; ++m) {
        // No `continue`: with it llvmpipe (LLVM 15) took a hundred times as long to compile.
        if (is_stored(m, place)) {
            store_two(position_of(place, m, LAST_RADIX), place.line, place.layer, v[m]);
        }
    }
#endif
}
