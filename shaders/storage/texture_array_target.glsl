// Values written to the layers of 2-D texture arrays, column = x, row = y, layer = z.
//
// Defines: TARGET_UNIT  image unit

#include "storage/texels.glsl"

layout(binding = TARGET_UNIT) writeonly uniform image2DArray glfft_target;

void write_target(ivec3 at, value v) {
    imageStore(glfft_target, at, to_texel(v));
}
