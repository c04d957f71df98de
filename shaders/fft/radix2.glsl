// dft(x) replaces x by its transform of 2 points.

#include "common/complex.glsl"

void dft(inout line_point x[2]) {
    line_point difference = x[0] - x[1];
    x[0] += x[1];
    x[1] = difference;
}
