// dft(x) replaces x by its transform of 8 points.

#include "fft/radix4.glsl"
#include "fft/roots.glsl"

// Two transforms of the even and odd points, joined by eighths of a turn.
void dft(inout line_point x[8]) {
    line_point even[4] = line_point[4](x[0], x[2], x[4], x[6]);
    line_point odd[4] = line_point[4](x[1], x[3], x[5], x[7]);
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
