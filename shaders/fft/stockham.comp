// A transform of lines in one dispatch.
//
// Defines, inputs, outputs: fft/stockham.glsl

#include "fft/stockham.glsl"

void main() {
    Place place = find_place();
    line_point v[POINTS];
    load_line(v, place);
    all_stages(v, place, STAGED);
    store_line(v, place);
}
