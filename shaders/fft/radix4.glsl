// dft(x) replaces x by its transform of 4 points.

#include "fft/roots.glsl"

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
