// Values read from buffers, row by row, layer by layer, as from a C-ordered array [layers, rows, columns], or of volumes
// [layers, depth, rows, columns].
//
// Defines: SOURCE_ROWS, SOURCE_COLUMNS   of a layer
//          DEPTH, SOURCE_DEPTH   of volumes
//          READS_REAL    1: real numbers, one for each complex number of a value
//          SOURCE_UNIT   buffer binding

#include "storage/buffer_place.glsl"

// Not restrict: source and target may be one buffer.
#if READS_REAL
layout(std430, binding = SOURCE_UNIT) readonly buffer Source { real_value glfft_source[]; };
#else
layout(std430, binding = SOURCE_UNIT) readonly buffer Source { value glfft_source[]; };
#endif

value read_source(ivec3 at) {
    int element = (plane_of(at.z, SOURCE_DEPTH) * SOURCE_ROWS + at.y) * SOURCE_COLUMNS + at.x;
#if READS_REAL && PAIRED
    return value(glfft_source[element].x, 0.0, glfft_source[element].y, 0.0);
#elif READS_REAL
    return value(glfft_source[element], 0.0);
#else
    return glfft_source[element];
#endif
}
