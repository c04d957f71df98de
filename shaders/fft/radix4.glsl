// dft(x) replaces x by its transform of 4 points.

#include "common/complex.glsl"

void dft(inout line_point x[4]) {
    line_point even_sum = x[0] + x[2];
    line_point even_difference = x[0] - x[2];
    line_point odd_sum = x[1] + x[3];
    line_point difference = x[1] - x[3];
    line_point odd_difference = DIRECTION < 0 ? -times_i(difference) : times_i(difference);
    x[0] = even_sum + odd_sum;
    x[1] = even_difference + odd_difference;
    x[2] = even_sum - odd_sum;
    x[3] = even_difference - odd_difference;
}
