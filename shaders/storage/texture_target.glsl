// Values written to 2-D textures, column = x, row = y; there is one layer.
//
// Defines: TARGET_UNIT  image unit

#include "storage/texels.glsl"

layout(binding = TARGET_UNIT) writeonly uniform image2D glfft_target;

void write_target(ivec3 at, value v) {
    imageStore(glfft_target, at.xy, to_texel(v));
}
