// Values in buffers, row by row, layer by layer, as a C-ordered array [layers, rows, columns].
//
// Defines: SOURCE_ROWS, SOURCE_COLUMNS, TARGET_ROWS, TARGET_COLUMNS   of a layer
//          READS_REAL, WRITES_REAL   1: real numbers, one for each complex number of a value
//          SOURCE_UNIT, TARGET_UNIT   buffer bindings

#include "common/value.glsl"

#if PAIRED
#define real_value vec2
#else
#define real_value float
#endif

// Not restrict: source and target may be one buffer.
#if READS_REAL
layout(std430, binding = SOURCE_UNIT) readonly buffer Source { real_value glfft_source[]; };
#else
layout(std430, binding = SOURCE_UNIT) readonly buffer Source { value glfft_source[]; };
#endif
#if WRITES_REAL
layout(std430, binding = TARGET_UNIT) writeonly buffer Target { real_value glfft_target[]; };
#else
layout(std430, binding = TARGET_UNIT) writeonly buffer Target { value glfft_target[]; };
#endif

value read_source(ivec3 at) {
    int element = (at.z * SOURCE_ROWS + at.y) * SOURCE_COLUMNS + at.x;
#if READS_REAL && PAIRED
    return value(glfft_source[element].x, 0.0, glfft_source[element].y, 0.0);
#elif READS_REAL
    return value(glfft_source[element], 0.0);
#else
    return glfft_source[element];
#endif
}

void write_target(ivec3 at, value v) {
    int element = (at.z * TARGET_ROWS + at.y) * TARGET_COLUMNS + at.x;
#if WRITES_REAL && PAIRED
    glfft_target[element] = v.xz;
#elif WRITES_REAL
    glfft_target[element] = v.x;
#else
    glfft_target[element] = v;
#endif
}
