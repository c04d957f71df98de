// Values written to 3-D textures, column = x, row = y, plane = z.
//
// Defines: TARGET_UNIT  image unit

#include "storage/texels.glsl"

layout(binding = TARGET_UNIT) writeonly uniform image3D glfft_target;

void write_target(ivec3 at, value v) {
    imageStore(glfft_target, at, to_texel(v));
}
