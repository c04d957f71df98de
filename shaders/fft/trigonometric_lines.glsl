// Cosine and sine transforms of real lines by a complex transform: what that one's inputs are made of, and what becomes of
// its outputs Z. They are linear, so that the real and the imaginary part of a complex line, two real ones, go through
// each on its own.
//
// With N points in a line, x[0] .. x[N - 1], and M points of the complex transform:
//   cosines, type 1, M = 2 (N - 1)  u is x and then x[N - 2] .. x[1];  y[k] = Z[k]
//   type 2, M = N    u is x[0], x[2], x[4] .. and then, backwards, x[1], x[3], x[5] ..;  y[k] = a + b and
//                    y[N - k] = i (a - b), with w = exp(-pi i k / 2N), a = w Z[k] and b = conj(w) Z[N - k]
//                    (Makhoul, A fast cosine transform in one and two dimensions, 1980)
//   type 3, M = N    the transpose of that: u[k] = exp(-pi i k / 2N) (x[k] + i x[N - k]), where x[N] = 0; Z is in the order
//                    that u has in type 2
//   type 4, M = N    u[n] as in type 2, but the odd points of x with a minus, and times exp(-pi i n / N);  y[k] = a + b and
//                    y[N - 1 - k] = i (a - b), with w = exp(-pi i (2k + 1) / 4N), a = w Z[k] and b = conj(w) Z[N - 1 - k]
//   sines, type 1, M = 2 (N + 1)    u is 0, x, 0, and then -x backwards;  y[k - 1] = i Z[k]
//   types 2 to 4     the cosines' with every second point of one side negated, and the other side backwards (Britanak, Yip
//                    and Rao, Discrete cosine and sine transforms, 2007)
//
// Defines:
//   TYPE, SINE          which
//   ORTHOGONAL          1: the points at the ends are scaled, so that the transform is orthogonal times a factor
//   REAL_POINTS, TRANSFORM_POINTS   N and M
//   REAL_PAIRS          1: a value carries two real lines; 0: one, with nothing in the imaginary part
//   REAL_LINES          in a layer; an odd last one is paired with zeros
//   FACTORS_OFFSET      where the factors w begin in the table; those of type 4's inputs come before those of its outputs
// Inputs, outputs: common/line_access.glsl, common/twiddle.glsl

#include "common/integers.glsl"
#include "common/line_access.glsl"
#include "common/twiddle.glsl"

const float ROOT_2 = 1.41421356237309505;
const float ROOT_HALF = 0.707106781186547524;

#if TYPE != 1
complex factor(int index) {
    return table_entry(FACTORS_OFFSET + index);
}
#endif

bool second_exists(int pair) {
    return REAL_LINES % 2 == 0 || 2 * pair + 1 < REAL_LINES;
}

value load_real(int n, int pair, int layer) {
#if REAL_PAIRS
    value v = load_point(n, 2 * pair, layer);
    return second_exists(pair) ? v + times_i(load_point(n, 2 * pair + 1, layer)) : v;
#else
    return load_point(n, pair, layer);
#endif
}

void store_real(int k, int pair, int layer, value v) {
#if REAL_PAIRS
    store_point(k, 2 * pair, layer, v);
    if (second_exists(pair)) {
        store_point(k, 2 * pair + 1, layer, -times_i(v));
    }
#else
    store_point(k, pair, layer, v);
#endif
}

// Whether type 1 of the cosines or type 2 or 3 scales this point.
bool is_scaled(int n) {
    return n == 0 || (TYPE == 1 && n == REAL_POINTS - 1);
}

// Point n of a line, scaled if it is one of those.
value read_scaled(int n, int its_place, int pair, int layer) {
    value v = load_real(its_place, pair, layer);
#if ORTHOGONAL && (TYPE == 3 || (TYPE == 1 && !SINE))
    v *= is_scaled(n) ? ROOT_2 : 1.0;
#endif
    return v;
}

// Point n of a line; of sines, what stands there in the cosine transform, but for its sign.
value read_real(int n, int pair, int layer) {
    return read_scaled(n, SINE == 1 && TYPE == 3 ? REAL_POINTS - 1 - n : n, pair, layer);
}

#if TYPE == 3
// Point N - n, for n > 0. NVIDIA's compiler (580.159) makes zero of read_real(REAL_POINTS - n) for sines.
value read_mirrored(int n, int pair, int layer) {
    return read_scaled(REAL_POINTS - n, SINE == 1 ? n - 1 : REAL_POINTS - n, pair, layer);
}
#endif

// Result k of a line; of sines, what the cosine transform has there, but for its sign.
void write_real(int k, int pair, int layer, value v) {
#if ORTHOGONAL && (TYPE == 2 || (TYPE == 1 && !SINE))
    v *= is_scaled(k) ? ROOT_HALF : 1.0;
#endif
#if SINE && (TYPE == 2 || TYPE == 4)
    store_real(REAL_POINTS - 1 - k, pair, layer, v);
#else
    store_real(k, pair, layer, v);
#endif
}

// The place in a line of what stands at a position where the even points come first.
int even_first(int position) {
    return 2 * position < REAL_POINTS ? 2 * position : 2 * REAL_POINTS - 1 - 2 * position;
}

// The same with a minus where that place is an odd one.
value odd_negated(int position, value v) {
    return 2 * position < REAL_POINTS ? v : -v;
}

// Input u of the complex transform.
value transform_input(int position, int pair, int layer) {
#if TYPE == 1 && !SINE
    return read_real(position < REAL_POINTS ? position : TRANSFORM_POINTS - position, pair, layer);
#elif TYPE == 1
    if (position % (REAL_POINTS + 1) == 0) {
        return value(0.0);
    }
    return position <= REAL_POINTS
        ? read_real(position - 1, pair, layer)
        : -read_real(TRANSFORM_POINTS - 1 - position, pair, layer);
#elif TYPE == 2
    value v = read_real(even_first(position), pair, layer);
    return SINE == 1 ? odd_negated(position, v) : v;
#elif TYPE == 3
    value v = read_real(position, pair, layer);
    if (position > 0) {
        v += times_i(read_mirrored(position, pair, layer));
    }
    return multiply(v, factor(position));
#else
    value v = read_real(even_first(position), pair, layer);
    // The odd points of sines have two minus signs.
    return multiply(SINE == 1 ? v : odd_negated(position, v), factor(position));
#endif
}

#if TYPE != 1
// Where the point lies that goes with the one at a position; any place in the line for positions past its end.
int mirrored_position(int position) {
    return remainder(max(TRANSFORM_POINTS - (TYPE == 4 ? 1 : 0) - position, 0), TRANSFORM_POINTS);
}
#endif

#if TYPE == 2 || TYPE == 4
bool is_first_of_two(int position) {
    return 2 * position + (TYPE == 4 ? 1 : 0) <= TRANSFORM_POINTS;
}

// From an output at such a position and the one mirrored to it to results.
void store_folded(int position, int pair, int layer, value v, value mirrored) {
    complex w = factor((TYPE == 4 ? REAL_POINTS : 0) + position);
    value a = multiply(v, w);
    value b = multiply(mirrored, conjugate(w));
    write_real(position, pair, layer, a + b);
    int other = mirrored_position(position);
    if (other > position) {
        write_real(other, pair, layer, times_i(a - b));
    }
}
#else
// From an output to the result that it is, if any.
void store_output(int position, int pair, int layer, value v) {
#if TYPE == 3
    write_real(even_first(position), pair, layer, SINE == 1 ? odd_negated(position, v) : v);
#elif SINE
    if (0 < position && position <= REAL_POINTS) {
        write_real(position - 1, pair, layer, times_i(v));
    }
#else
    if (position < REAL_POINTS) {
        write_real(position, pair, layer, v);
    }
#endif
}
#endif
