// Values written to buffers, row by row, layer by layer, as to a C-ordered array [layers, rows, columns], or of volumes
// [layers, depth, rows, columns].
//
// Defines: TARGET_ROWS, TARGET_COLUMNS   of a layer
//          DEPTH, TARGET_DEPTH   of volumes
//          WRITES_REAL   1: real numbers, one for each complex number of a value
//          TARGET_UNIT   buffer binding

#include "storage/buffer_place.glsl"

// Not restrict: source and target may be one buffer.
#if WRITES_REAL
layout(std430, binding = TARGET_UNIT) writeonly buffer Target { real_value glfft_target[]; };
#else
layout(std430, binding = TARGET_UNIT) writeonly buffer Target { value glfft_target[]; };
#endif

void write_target(ivec3 at, value v) {
    int element = (plane_of(at.z, TARGET_DEPTH) * TARGET_ROWS + at.y) * TARGET_COLUMNS + at.x;
#if WRITES_REAL && PAIRED
    glfft_target[element] = v.xz;
#elif WRITES_REAL
    glfft_target[element] = v.x;
#else
    glfft_target[element] = v;
#endif
}
