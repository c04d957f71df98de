// Values in 2-D textures, column = x, row = y; there is one layer.
//
// Defines: SOURCE_UNIT, TARGET_UNIT   texture unit read, image unit written

#include "storage/texels.glsl"

layout(binding = SOURCE_UNIT) uniform sampler2D glfft_source;
layout(binding = TARGET_UNIT) writeonly uniform image2D glfft_target;

value read_source(ivec3 at) {
    return from_texel(texelFetch(glfft_source, at.xy, 0));
}

void write_target(ivec3 at, value v) {
    imageStore(glfft_target, at.xy, to_texel(v));
}
