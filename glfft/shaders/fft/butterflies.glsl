// The stages of a Stockham transform on registers, for radices 2, 4, 8, 16 and 32.
//
// dft(x) replaces x by its transform of 2, 4, ... points; the larger ones are built from the smaller, with the factors
// in between as constants. A stage is a butterfly, twiddle factors and dft, for every group of registers a thread has.
//
// Defines: POINTS, THREADS, DIRECTION, TWIDDLE_PRODUCTS as in fft/stockham.glsl

#include "common/value.glsl"
#include "common/twiddle.glsl"

// exp(DIRECTION * 2 pi i * c), given cosine and sine of that angle.
complex root(float cosine, float sine) {
    return complex(cosine, float(DIRECTION) * sine);
}

const float COS_1_32 = 0.980785280403230449;
const float SIN_1_32 = 0.195090322016128268;
const float COS_2_32 = 0.923879532511286756;
const float SIN_2_32 = 0.382683432365089772;
const float COS_3_32 = 0.831469612302545237;
const float SIN_3_32 = 0.555570233019602225;
const float SQRT_HALF = 0.707106781186547524;

// DIRECTION * i * a.
value quarter(value a) {
    return DIRECTION < 0 ? -turn(a) : turn(a);
}

// a times an eighth of a turn in DIRECTION: two additions and a scale.
value eighth(value a) {
    return SQRT_HALF * (a + quarter(a));
}

void dft(inout value x[2]) {
    value difference = x[0] - x[1];
    x[0] += x[1];
    x[1] = difference;
}

void dft(inout value x[4]) {
    value even_sum = x[0] + x[2];
    value even_difference = x[0] - x[2];
    value odd_sum = x[1] + x[3];
    value odd_difference = quarter(x[1] - x[3]);
    x[0] = even_sum + odd_sum;
    x[1] = even_difference + odd_difference;
    x[2] = even_sum - odd_sum;
    x[3] = even_difference - odd_difference;
}

// Two transforms of the even and odd points, joined by eighths of a turn.
void dft(inout value x[8]) {
    value even[4] = value[4](x[0], x[2], x[4], x[6]);
    value odd[4] = value[4](x[1], x[3], x[5], x[7]);
    dft(even);
    dft(odd);
    odd[1] = eighth(odd[1]);
    odd[2] = quarter(odd[2]);
    odd[3] = eighth(quarter(odd[3]));
    for (int k = 0; k < 4; ++k) {
        x[k] = even[k] + odd[k];
        x[k + 4] = even[k] - odd[k];
    }
}

// Four transforms of every fourth point, then four across them.
void dft(inout value x[16]) {
    value a[4] = value[4](x[0], x[4], x[8], x[12]);
    value b[4] = value[4](x[1], x[5], x[9], x[13]);
    value c[4] = value[4](x[2], x[6], x[10], x[14]);
    value d[4] = value[4](x[3], x[7], x[11], x[15]);
    dft(a);
    dft(b);
    dft(c);
    dft(d);
    b[1] = multiply(b[1], root(COS_2_32, SIN_2_32));
    b[2] = eighth(b[2]);
    b[3] = multiply(b[3], root(SIN_2_32, COS_2_32));
    c[1] = eighth(c[1]);
    c[2] = quarter(c[2]);
    c[3] = eighth(quarter(c[3]));
    d[1] = multiply(d[1], root(SIN_2_32, COS_2_32));
    d[2] = eighth(quarter(d[2]));
    d[3] = multiply(d[3], root(-COS_2_32, -SIN_2_32));
    for (int k = 0; k < 4; ++k) {
        value across[4] = value[4](a[k], b[k], c[k], d[k]);
        dft(across);
        x[k] = across[0];
        x[k + 4] = across[1];
        x[k + 8] = across[2];
        x[k + 12] = across[3];
    }
}

// Two transforms of the even and odd points, joined by the roots of 32.
void dft(inout value x[32]) {
    value even[16];
    value odd[16];
    for (int i = 0; i < 16; ++i) {
        even[i] = x[2 * i];
        odd[i] = x[2 * i + 1];
    }
    dft(even);
    dft(odd);
    const vec2 ROOTS[8] = vec2[8](
        vec2(1.0, 0.0), vec2(COS_1_32, SIN_1_32), vec2(COS_2_32, SIN_2_32), vec2(COS_3_32, SIN_3_32),
        vec2(SQRT_HALF, SQRT_HALF), vec2(SIN_3_32, COS_3_32), vec2(SIN_2_32, COS_2_32), vec2(SIN_1_32, COS_1_32));
    for (int k = 0; k < 8; ++k) {
        complex w = root(ROOTS[k].x, ROOTS[k].y);
        value first = multiply(odd[k], w);
        value second = quarter(multiply(odd[k + 8], w));
        x[k] = even[k] + first;
        x[k + 16] = even[k] - first;
        x[k + 8] = even[k + 8] + second;
        x[k + 24] = even[k + 8] - second;
    }
}

// One butterfly of a stage, that of registers b, b + POINTS / RADIX, ... It is the same for every radix, but for dft. The
// factors exp(DIRECTION * 2 pi i * k * i / (RADIX * span)) of inputs i are read as they are wanted, or beforehand: with
// TWIDDLE_PRODUCTS that of i = first + rest, where first is a multiple of 4, is then the product of theirs, so that fewer
// are read, for one more rounding.
// There is no loop over b: Mesa keeps long ones, and what is indexed in them goes from registers to memory.
#define DEFINE_BUTTERFLY(BUTTERFLY, RADIX)                                           \
    void BUTTERFLY(inout value v[POINTS], int b, int thread, int span) {             \
        const int APART = POINTS / RADIX;                                            \
        value x[RADIX];                                                              \
        for (int i = 0; i < RADIX; ++i) {                                            \
            x[i] = v[b + i * APART];                                                 \
        }                                                                            \
        if (span > 1) {                                                              \
            int k = (thread + b * THREADS) & (span - 1);                             \
            for (int i = 1; i < RADIX; ++i) {                                        \
                x[i] = multiply(x[i], twiddle(i, k, span, RADIX));                   \
            }                                                                        \
        }                                                                            \
        dft(x);                                                                      \
        for (int i = 0; i < RADIX; ++i) {                                            \
            v[b + i * APART] = x[i];                                                 \
        }                                                                            \
    }                                                                                \
    void read_factors(out complex w[RADIX], int b, int thread, int span) {           \
        int k = (thread + b * THREADS) & (span - 1);                                 \
        w[0] = complex(1.0, 0.0);                                                    \
        for (int i = 1; i < RADIX; ++i) {                                            \
            bool product = TWIDDLE_PRODUCTS && i > 4 && i % 4 > 0;                   \
            w[i] = product ? multiply(w[i - i % 4], w[i % 4]) : twiddle(i, k, span, RADIX); \
        }                                                                            \
    }                                                                                \
    void BUTTERFLY(inout value v[POINTS], int b, complex w[RADIX]) {                 \
        for (int i = 1; i < RADIX; ++i) {                                            \
            int m = b + i * (POINTS / RADIX);                                        \
            v[m] = multiply(v[m], w[i]);                                             \
        }                                                                            \
        BUTTERFLY(v, b, 0, 1);                                                       \
    }

DEFINE_BUTTERFLY(butterfly2, 2)
#if POINTS % 4 == 0
DEFINE_BUTTERFLY(butterfly4, 4)
#endif
#if POINTS % 8 == 0
DEFINE_BUTTERFLY(butterfly8, 8)
#endif
#if POINTS % 16 == 0
DEFINE_BUTTERFLY(butterfly16, 16)
#endif
#if POINTS % 32 == 0
DEFINE_BUTTERFLY(butterfly32, 32)
#endif
