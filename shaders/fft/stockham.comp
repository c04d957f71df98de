// A transform of lines in one dispatch.
//
// Defines, inputs, outputs: fft/stockham.glsl

#if (LOAD_SNIPPET || STORE_SNIPPET) && POINTS > 8
// NVIDIA's compiler (580.159) left points in memory where a snippet computes much: passes took up to 17 times as long. Loops
// over 8 points are unrolled anyway, and an ocean step takes 26.9 us then, not 27.8.
#pragma optionNV(unroll all)
#elif POINTS > 20 && !LINE_PAIRS
// It left some of so many: rows of 7938 points in stages of 18, 21 and 21 took 12.5 us, and take 11.1 now.
#pragma optionNV(unroll all)
#endif

#include "fft/stockham.glsl"

void main() {
    Place place = find_place();
    line_point v[POINTS];
    load_line(v, place);
#if STAGED
    all_stages(v, place, 1); // as shared memory was read before
#else
    all_stages(v, place, 0);
#endif
    store_line(v, place);
}
