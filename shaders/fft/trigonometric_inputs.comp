// The complex lines of a cosine or sine transform, for algorithms that take them as they lie in memory: the first of its
// dispatches.
//
// Defines, inputs, outputs: fft/trigonometric_points.glsl, with READS_REAL

#include "fft/trigonometric_points.glsl"

void main() {
    Point point = find_point();
    if (point.exists) {
        value v = transform_input(point.position, point.line, point.layer);
        store_point(point.position, point.line, point.layer, v);
    }
}
