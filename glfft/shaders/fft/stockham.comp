// A transform of lines in one dispatch.
//
// Defines, inputs, outputs: fft/stockham.glsl

#include "fft/stockham.glsl"

void main() {
    Place at = place();
    value v[POINTS];
    load_line(v, at);
    all_stages(v, at, 0);
    store_line(v, at);
}
