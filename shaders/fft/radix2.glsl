// dft(x) replaces x by its transform of 2 points.

#include "common/value.glsl"

void dft(inout value x[2]) {
    value difference = x[0] - x[1];
    x[0] += x[1];
    x[1] = difference;
}
