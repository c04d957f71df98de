// A load snippet as a dispatch of its own: what a transform would read through it goes into a texture array.
//
// Defines: ROWS, COLUMNS, LAYERS of the transform; PAIRED, 1; GROUP, threads of a work group each way; TARGET_UNIT, of
//          the image

layout(local_size_x = GROUP, local_size_y = GROUP) in;

#include "common/value.glsl"
#include "generated/load.glsl"

layout(binding = TARGET_UNIT, rgba32f) writeonly uniform image2DArray glfft_loaded;

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (at.x < COLUMNS && at.y < ROWS) {
        imageStore(glfft_loaded, at, channels_of(load(at)));
    }
}
