// Twiddle factors of a stage: twiddle(i, k, span, radix) = exp(DIRECTION * 2 pi i * k * i / (radix * span)).
//
// Defines:
//   DIRECTION           -1 forward, +1 inverse (a constant or the name of a uniform)
//   TWIDDLES_COMPUTED   1: sine and cosine in the shader (about 1e-6 off); 0: read from a table made in float64
//   TWIDDLES_SAMPLED    1: the table is a texture, 0: a buffer; which is faster depends on device and length
//   TWIDDLE_UNIT        texture unit or buffer binding of the table
//   ROOT_ORDER, ROOT_OFFSET, ROOT_FINE_BITS   where there is a table of the powers of one root of unity in two levels:
//                       its order, where the table begins, and how many bits of an exponent the first level is for
//   CHIRPS              1: the table is read even where the factors of stages are computed
// Inputs:
//   glfft_twiddle_table stage after stage, in each for i = 1 .. radix - 1 the factors of all k in [0, span), so that
//                       neighbouring k are neighbours. A stage starts at span - 1, because the stages before it have
//                       span - 1 factors together.

#include "common/complex.glsl"

#if !TWIDDLES_COMPUTED && TWIDDLES_SAMPLED
layout(binding = TWIDDLE_UNIT) uniform sampler2D glfft_twiddle_table;

complex table_entry(int index) {
    return texelFetch(glfft_twiddle_table, ivec2(index, 0), 0).xy;
}
#elif !TWIDDLES_COMPUTED || CHIRPS
layout(std430, binding = TWIDDLE_UNIT) readonly restrict buffer Twiddles { complex glfft_twiddle_table[]; };

complex table_entry(int index) {
    return glfft_twiddle_table[index];
}
#endif

// 1 <= i < radix, 0 <= k < span.
complex twiddle(int i, int k, int span, int radix) {
#if TWIDDLES_COMPUTED
    float angle = float(DIRECTION) * 6.28318530717958648 * float(k * i) / float(radix * span);
    return complex(cos(angle), sin(angle));
#else
    complex w = table_entry(i * span - 1 + k);
    return DIRECTION < 0 ? w : conjugate(w);
#endif
}

#if defined(ROOT_ORDER) && ROOT_ORDER
// exp(direction * 2 pi i * exponent / ROOT_ORDER), 0 <= exponent < ROOT_ORDER, as a product: so the table is short.
complex root_of_unity(int exponent, int direction) {
#if TWIDDLES_COMPUTED
    float angle = float(direction) * 6.28318530717958648 * float(exponent) / float(ROOT_ORDER);
    return complex(cos(angle), sin(angle));
#else
    const int FINE = 1 << ROOT_FINE_BITS;
    complex fine = table_entry(ROOT_OFFSET + (exponent & (FINE - 1)));
    complex coarse = table_entry(ROOT_OFFSET + FINE + (exponent >> ROOT_FINE_BITS));
    complex w = multiply(coarse, fine);
    return direction < 0 ? w : conjugate(w);
#endif
}
#endif
