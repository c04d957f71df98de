// Twiddle factors: twiddle(k, n) = exp(DIRECTION * 2 pi i * k / n).
//
// Defines:
//   DIRECTION           -1 forward, +1 inverse (a constant or the name of a uniform)
//   LENGTH              points in a line, the period of the table
//   TWIDDLES_COMPUTED   1: sine and cosine in the shader (about 1e-6 off); 0: read from a table made in float64
//   TWIDDLE_UNIT        texture unit of the table
// Inputs:
//   twiddle_table       LENGTH x 1 texels, texel j = exp(-2 pi i j / LENGTH) rounded once from float64

#include "common/complex.glsl"

#if !TWIDDLES_COMPUTED
layout(binding = TWIDDLE_UNIT) uniform sampler2D twiddle_table;
#endif

// k in [0, n), n a divisor of LENGTH.
complex twiddle(int k, int n) {
#if TWIDDLES_COMPUTED
    float angle = float(DIRECTION) * 6.28318530717958648 * float(k) / float(n);
    return complex(cos(angle), sin(angle));
#else
    complex w = texelFetch(twiddle_table, ivec2(k * (LENGTH / n), 0), 0).xy;
    return DIRECTION < 0 ? w : conjugate(w);
#endif
}
