// dft(x) replaces x by its transform of 3 points: Winograd's form, with two factors
// (Nussbaumer, Fast Fourier Transform and Convolution Algorithms, 1981, section 5.5).

#include "fft/roots.glsl"

const float SIN_1_3 = 0.866025403784438647;  // of 2 pi / 3

void dft(inout line_point x[3]) {
    line_point sum = x[1] + x[2];
    line_point difference = SIN_1_3 * quarter(x[1] - x[2]);
    line_point middle = x[0] - 0.5 * sum;
    x[0] += sum;
    x[1] = middle + difference;
    x[2] = middle - difference;
}
