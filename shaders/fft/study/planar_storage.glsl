// Values in buffers with real and imaginary parts apart: all vectors of real parts, then all vectors of imaginary parts.
//
// Defines: VECTORS        of four real parts in a value: 1 or 2
//          PART_VECTORS   vectors of real parts in a buffer
//          SOURCE_ROWS, SOURCE_COLUMNS, SOURCE_UNIT, TARGET_ROWS, TARGET_COLUMNS, TARGET_UNIT   as of storage/buffer.glsl

#include "fft/study/planar_value.glsl"

layout(std430, binding = SOURCE_UNIT) readonly buffer GlfftSource { vec4 glfft_source[]; };
layout(std430, binding = TARGET_UNIT) coherent buffer GlfftTarget { vec4 glfft_target[]; };

value read_source(ivec3 at) {
    int real = (at.y * SOURCE_COLUMNS + at.x) * VECTORS;
    int imaginary = PART_VECTORS + real;
#if VECTORS == 1
    return value(glfft_source[real], glfft_source[imaginary]);
#else
    return value(
        glfft_source[real], glfft_source[real + 1], glfft_source[imaginary], glfft_source[imaginary + 1]);
#endif
}

value read_workplace(int element) {
    int real = element * VECTORS;
    int imaginary = PART_VECTORS + real;
#if VECTORS == 1
    return value(glfft_target[real], glfft_target[imaginary]);
#else
    return value(
        glfft_target[real], glfft_target[real + 1], glfft_target[imaginary], glfft_target[imaginary + 1]);
#endif
}

void write_workplace(int element, value v) {
    int real = element * VECTORS;
    int imaginary = PART_VECTORS + real;
    glfft_target[real] = v[0];
    glfft_target[imaginary] = v[VECTORS];
#if VECTORS > 1
    glfft_target[real + 1] = v[1];
    glfft_target[imaginary + 1] = v[VECTORS + 1];
#endif
}

int target_element(ivec3 at) {
    return at.y * TARGET_COLUMNS + at.x;
}

void write_target(ivec3 at, value v) {
    write_workplace(target_element(at), v);
}
