// A transform of any length N = CHIRP_POINTS, as a convolution of LENGTH >= 2 N - 1 points: with the chirp
// c[n] = exp(CHIRP_DIRECTION * pi i n^2 / N),
//     F[k] = c[k] * sum over n of (f[n] c[n]) * conj(c[k - n])
// (Bluestein, A linear filtering approach to the computation of discrete Fourier transform, 1970). The convolution is two
// transforms in shared memory with a product in between; the inverse one is the conjugate of a forward one of conjugates.
//
// Defines: those of fft/stockham.glsl, with DIRECTION -1 and TWICE, and
//   CHIRP_OFFSET        see fft/chirp.glsl; the transform of conj(c), divided by LENGTH, follows the chirp

#include "fft/chirp.glsl"
#include "fft/stages_again.glsl"

complex chirp(int n) {
    return chirp_entry(n);
}

complex chirp_spectrum(int position) {
    return chirp_entry(CHIRP_POINTS + position);
}

// Whether a register holds a point of the line in any thread, and so in thread 0. The compiler knows it, and leaves out
// what it would do to those that hold none: half of the first stage and of the last.
bool in_line(int m, int radix) {
    return butterfly_of(m, radix) * THREADS + m / BUTTERFLIES(radix) * (LENGTH / radix) < CHIRP_POINTS;
}

// Whether it does so in all threads.
bool all_in_line(int m, int radix) {
    return shared_evenly(radix)
        && butterfly_of(m, radix) * THREADS + THREADS - 1 + m / BUTTERFLIES(radix) * (LENGTH / radix) < CHIRP_POINTS;
}

// Whether it does so in this thread.
bool is_in_line(int m, Place place, int radix) {
    bool before_end = all_in_line(m, radix) || position_of(place, m, radix) < CHIRP_POINTS;
    return in_line(m, radix) && register_exists(place, m, radix) && before_end;
}

// A position to load register m from, where that past the line's end is not used: see loaded_position in fft/stockham.glsl.
// Without a minimum, addresses of registers are a constant apart.
int nearest_in_line(Place place, int m, int radix) {
    int position = position_of(place, m, radix);
    return all_in_line(m, radix) ? position : min(position, CHIRP_POINTS - 1);
}

// After the first of the two transforms.
void multiply_spectrum(inout line_point v[POINTS], Place place) {
    for (int m = 0; m < LAST_POINTS; ++m) {
        int position = position_of(place, m, LAST_RADIX);
        int nearest = shared_evenly(LAST_RADIX) ? position : min(position, LENGTH - 1);
        v[m] = conjugate(multiply(v[m], chirp_spectrum(nearest)));
    }
}

// From f in the registers of the first stage that are `in_line`, with anything past its end, and zeros in the others to F
// in those of the last stage; past F, there is anything.
void bluestein(inout line_point v[POINTS], Place place) {
    for (int m = 0; m < FIRST_POINTS; ++m) {
        if (in_line(m, FIRST_RADIX)) {
            int position = position_of(place, m, FIRST_RADIX);
            line_point modulated = multiply(v[m], chirp(nearest_in_line(place, m, FIRST_RADIX)));
            v[m] = all_in_line(m, FIRST_RADIX) || position < CHIRP_POINTS ? modulated : line_point(0.0);
        }
    }
    all_stages(v, place, 0);
    multiply_spectrum(v, place);
    all_stages_again(v, place);
    for (int m = 0; m < LAST_POINTS; ++m) {
        if (in_line(m, LAST_RADIX)) {
            v[m] = multiply(conjugate(v[m]), chirp(nearest_in_line(place, m, LAST_RADIX)));
        }
    }
}
