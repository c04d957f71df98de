// Values in buffers, row by row, layer by layer, as a C-ordered array [LAYERS, ROWS, COLUMNS].
//
// Defines: ROWS, COLUMNS of a layer; SOURCE_UNIT, TARGET_UNIT   buffer bindings

#include "common/value.glsl"

// Not restrict: source and target may be one buffer.
layout(std430, binding = SOURCE_UNIT) readonly buffer Source { value source[]; };
layout(std430, binding = TARGET_UNIT) writeonly buffer Target { value target[]; };

int element(ivec3 at) {
    return (at.z * ROWS + at.y) * COLUMNS + at.x;
}

value read_source(ivec3 at) {
    return source[element(at)];
}

void write_target(ivec3 at, value v) {
    target[element(at)] = v;
}
