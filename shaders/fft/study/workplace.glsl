// A target buffer as the place where threads keep unfinished points, and find those of others.
//
// Defines: TARGET_UNIT   buffer binding

#include "common/complex.glsl"

layout(std430, binding = TARGET_UNIT) coherent buffer Workplace { value glfft_workplace[]; };

value read_workplace(int element) {
    return glfft_workplace[element];
}

void write_workplace(int element, value v) {
    glfft_workplace[element] = v;
}
