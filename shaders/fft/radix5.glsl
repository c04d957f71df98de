// dft(x) replaces x by its transform of 5 points: Winograd's form, with five factors
// (Nussbaumer, Fast Fourier Transform and Convolution Algorithms, 1981, section 5.5).

#include "fft/roots.glsl"

const float COS_MEAN_5 = -0.25;                         // (cos u + cos 2u) / 2, u = 2 pi / 5
const float COS_DIFFERENCE_5 = 0.559016994374947424;    // (cos u - cos 2u) / 2
const float SIN_1_5 = 0.951056516295153572;             // sin u
const float SIN_SUM_5 = 1.53884176858762670;            // sin u + sin 2u
const float SIN_DIFFERENCE_5 = 0.363271264002680442;    // sin u - sin 2u

void dft(inout line_point x[5]) {
    line_point sum_1 = x[1] + x[4];
    line_point sum_2 = x[2] + x[3];
    line_point difference_1 = x[1] - x[4];
    line_point difference_2 = x[2] - x[3];
    line_point sum = sum_1 + sum_2;
    line_point middle = x[0] + COS_MEAN_5 * sum;
    line_point apart = COS_DIFFERENCE_5 * (sum_1 - sum_2);
    line_point even_1 = middle + apart;
    line_point even_2 = middle - apart;
    line_point both = SIN_1_5 * (difference_1 + difference_2);
    line_point odd_1 = quarter(both - SIN_DIFFERENCE_5 * difference_2);
    line_point odd_2 = quarter(SIN_SUM_5 * difference_1 - both);
    x[0] += sum;
    x[1] = even_1 + odd_1;
    x[4] = even_1 - odd_1;
    x[2] = even_2 + odd_2;
    x[3] = even_2 - odd_2;
}
