// A real line of an even number of points as a complex one of half as many, z[n] = x[2n] + i x[2n + 1]. With N points,
// M = N / 2, w = exp(-2 pi i / N), and the transforms E and O of the even and of the odd points,
//     E[k] = (Z[k] + conj(Z[M - k])) / 2,  O[k] = (Z[k] - conj(Z[M - k])) / 2i,
//     F[k] = E[k] + w^k O[k],  F[M - k] = conj(E[k] - w^k O[k]).
//
// Rows of a buffer are those complex lines already: READS_REAL and WRITES_REAL are 0 there.
//
// Defines: LINE_POINTS        N
//          ROOTS_OFFSET       where the powers of w begin in the table; with PARTS > 1 ROOT_ORDER is N
// Inputs, outputs: common/line_access.glsl, common/twiddle.glsl

const int HALF_POINTS = LINE_POINTS / 2;

#if READS_HERMITIAN || WRITES_HERMITIAN
// w^k, 0 <= k < M.
complex line_root(int k) {
#if PARTS > 1
    return root_of_unity(k, -1);
#elif TWIDDLES_COMPUTED
    float angle = -3.14159265358979324 * float(k) / float(HALF_POINTS);
    return complex(cos(angle), sin(angle));
#else
    return table_entry(ROOTS_OFFSET + k);
#endif
}
#endif

#if READS_HERMITIAN
// Twice Z[k], as the points are those of a transform of N.
value load_two(int k, int line, int layer) {
    value first = load_point(k, line, layer);
    // The maximum hides the difference from NVIDIA's compiler, see storage/texture.glsl.
    value second = conjugate(load_point(max(HALF_POINTS - k, 0), line, layer));
    return first + second + times_i(multiply(first - second, conjugate(line_root(k))));
}
#elif !READS_REAL
value load_two(int n, int line, int layer) {
    return load_point(n, line, layer);
}
#else
value load_two(int n, int line, int layer) {
    value even = load_point(2 * n, line, layer);
    return even + times_i(load_point(2 * n + 1, line, layer));
}
#endif

#if WRITES_REAL
void store_two(int n, int line, int layer, value z) {
    store_point(2 * n, line, layer, z);
    store_point(2 * n + 1, line, layer, -times_i(z));
}
#elif READS_HERMITIAN || PARTS > 1
void store_two(int n, int line, int layer, value z) {
    store_point(n, line, layer, z);
}
#endif

#if WRITES_HERMITIAN
// The spectrum at a position of those up to M / 2, and at M - k, from Z at both.
void store_spectra(int k, int line, int layer, value z, value mirrored) {
    if (2 * k <= HALF_POINTS) {
        value even = 0.5 * (z + conjugate(mirrored));
        value odd = multiply(-0.5 * times_i(z - conjugate(mirrored)), line_root(k));
        store_point(k, line, layer, even + odd);
        if (2 * k < HALF_POINTS) {
            store_point(HALF_POINTS - k, line, layer, conjugate(even - odd));
        }
    }
}
#endif
