// Values in buffers, row by row, layer by layer, as a C-ordered array [layers, rows, columns], or of volumes
// [layers, depth, rows, columns].
//
// Defines: SOURCE_ROWS, SOURCE_COLUMNS, TARGET_ROWS, TARGET_COLUMNS   of a layer
//          DEPTH, SOURCE_DEPTH, TARGET_DEPTH   of volumes
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

#ifdef DEPTH
// A place counts DEPTH planes a layer, also where fewer are kept: half the spectrum of real lines along z.
int plane_of(int z, int depth) {
    return depth == DEPTH ? z : z / DEPTH * depth + z % DEPTH;
}
#else
#define plane_of(z, depth) z
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
