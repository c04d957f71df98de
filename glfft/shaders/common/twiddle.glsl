// Twiddle factors of a stage: twiddle(i, k, span, radix) = exp(DIRECTION * 2 pi i * k * i / (radix * span)).
//
// Defines:
//   DIRECTION           -1 forward, +1 inverse (a constant or the name of a uniform)
//   TWIDDLES_COMPUTED   1: sine and cosine in the shader (about 1e-6 off); 0: read from a table made in float64
//   TWIDDLES_SAMPLED    1: the table is a texture, 0: a buffer; which is faster depends on device and length
//   TWIDDLE_UNIT, TWIDDLE_BINDING   texture unit or buffer binding of the table
// Inputs:
//   glfft_twiddle_table stage after stage, in each for i = 1 .. radix - 1 the factors of all k in [0, span), so that
//                       neighbouring k are neighbours. A stage starts at span - 1, because the stages before it have
//                       span - 1 factors together.

#include "common/complex.glsl"

#if !TWIDDLES_COMPUTED && TWIDDLES_SAMPLED
layout(binding = TWIDDLE_UNIT) uniform sampler2D glfft_twiddle_table;
#elif !TWIDDLES_COMPUTED || defined(CHIRPS)
layout(std430, binding = TWIDDLE_BINDING) readonly restrict buffer Twiddles { complex glfft_twiddle_table[]; };
#endif

// 1 <= i < radix, 0 <= k < span.
complex twiddle(int i, int k, int span, int radix) {
#if TWIDDLES_COMPUTED
    float angle = float(DIRECTION) * 6.28318530717958648 * float(k * i) / float(radix * span);
    return complex(cos(angle), sin(angle));
#else
#if TWIDDLES_SAMPLED
    complex w = texelFetch(glfft_twiddle_table, ivec2(i * span - 1 + k, 0), 0).xy;
#else
    complex w = glfft_twiddle_table[i * span - 1 + k];
#endif
    return DIRECTION < 0 ? w : conjugate(w);
#endif
}
