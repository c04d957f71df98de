// From transformed complex lines to the results of a cosine or sine transform: the last of its dispatches.
//
// Defines, inputs, outputs: fft/trigonometric_points.glsl, with WRITES_REAL

#include "fft/trigonometric_points.glsl"

void main() {
    Point point = find_point();
    if (!point.exists) {
        return;
    }
#if TYPE == 2 || TYPE == 4
    if (is_first_of_two(point.position)) {
        value v = load_point(point.position, point.line, point.layer);
        value mirrored = load_point(mirrored_position(point.position), point.line, point.layer);
        store_folded(point.position, point.line, point.layer, v, mirrored);
    }
#else
    store_output(point.position, point.line, point.layer, load_point(point.position, point.line, point.layer));
#endif
}
