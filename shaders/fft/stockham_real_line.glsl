// A real line of an even number of points as a complex one of half as many, z[n] = x[2n] + i x[2n + 1], by Bluestein's
// algorithm. With N points, M = N / 2, w = exp(-2 pi i / N), and the transforms E and O of the even and of the odd points,
//     E[k] = (Z[k] + conj(Z[M - k])) / 2,  O[k] = (Z[k] - conj(Z[M - k])) / 2i,
//     F[k] = E[k] + w^k O[k],  F[M - k] = conj(E[k] - w^k O[k]).
//
// Defines: those of fft/stockham.glsl and fft/stockham_bluestein.glsl, with M as CHIRP_POINTS
//   ROOTS_OFFSET   where the powers of w begin in the table

#include "common/integers.glsl"
#include "fft/stockham.glsl"
#include "fft/stockham_bluestein.glsl"

// w^k, 0 <= k < M.
complex root(int k) {
#if TWIDDLES_COMPUTED
    float angle = -3.14159265358979324 * float(k) / float(CHIRP_POINTS);
    return complex(cos(angle), sin(angle));
#else
    return table_entry(ROOTS_OFFSET + k);
#endif
}
