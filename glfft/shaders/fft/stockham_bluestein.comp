// A transform of lines of any length N in one dispatch, as a convolution of LENGTH >= 2 N - 1 points: with the chirp
// c[n] = exp(CHIRP_DIRECTION * pi i n^2 / N),
//     F[k] = c[k] * sum over n of (f[n] c[n]) * conj(c[k - n])
// (Bluestein, A linear filtering approach to the computation of discrete Fourier transform, 1970). The convolution is two
// transforms in shared memory with a product in between; the inverse one is the conjugate of a forward one of conjugates.
//
// Defines, inputs, outputs: fft/stockham.glsl, with DIRECTION -1
//   CHIRP_POINTS        N
//   CHIRP_OFFSET        where the chirp begins in the table of twiddle factors; the transform of conj(c), divided by
//                       LENGTH, follows it
//   ENDS_AS_IT_BEGINS   1: a thread has the same positions before the first stage and after the last

#define CHIRPS

#include "fft/stockham.glsl"

complex chirp(int n) {
    return table_entry(CHIRP_OFFSET + n);
}

complex chirp_spectrum(int position) {
    return table_entry(CHIRP_OFFSET + CHIRP_POINTS + position);
}

// Whether a register holds a point of the line in any thread, and so in thread 0. The compiler knows it, and leaves out
// what it would do to those that hold none: half of the first stage and of the last.
bool in_line(int m, int radix) {
    return butterfly_of(m, radix) * THREADS + m / BUTTERFLIES(radix) * (LENGTH / radix) < CHIRP_POINTS;
}

void main() {
    Place place = find_place();
    value v[POINTS];
    for (int m = 0; m < FIRST_POINTS; ++m) {
        int position = position_of(place, m, FIRST_RADIX);
        v[m] = value(0.0);
        if (in_line(m, FIRST_RADIX) && register_exists(place, m, FIRST_RADIX) && position < CHIRP_POINTS) {
            v[m] = multiply(load_of_lines(position, place.line, place.layer), chirp(position));
        }
    }
    all_stages(v, place, 0);
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (butterfly_exists(place.thread, butterfly_of(m, LAST_RADIX), LAST_RADIX)) {
            v[m] = conjugate(multiply(v[m], chirp_spectrum(position_of(place, m, LAST_RADIX))));
        }
    }
#if ENDS_AS_IT_BEGINS
    all_stages(v, place, EXCHANGES);
#else
    exchange(v, place, LAST_RADIX, LENGTH / LAST_RADIX, FIRST_RADIX, EXCHANGES);
    all_stages(v, place, EXCHANGES + 1);
#endif
    for (int m = 0; m < LAST_POINTS; ++m) {
        int position = position_of(place, m, LAST_RADIX);
        if (in_line(m, LAST_RADIX) && register_exists(place, m, LAST_RADIX) && position < CHIRP_POINTS) {
            store_of_lines(position, place.line, place.layer, multiply(conjugate(v[m]), chirp(position)));
        }
    }
}
