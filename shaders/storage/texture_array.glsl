// Values in the layers of 2-D texture arrays, column = x, row = y, layer = z.
//
// Defines: SOURCE_UNIT, TARGET_UNIT   texture unit read, image unit written

#include "storage/texels.glsl"

layout(binding = SOURCE_UNIT) uniform sampler2DArray glfft_source;
layout(binding = TARGET_UNIT) writeonly uniform image2DArray glfft_target;

value read_source(ivec3 at) {
    return from_texel(texelFetch(glfft_source, at, 0));
}

void write_target(ivec3 at, value v) {
    imageStore(glfft_target, at, to_texel(v));
}
