// A store snippet as a dispatch of its own: it receives what a transform has left in a texture array.
//
// Defines: ROWS, COLUMNS, LAYERS of the transform; PAIRED, 1; GROUP, threads of a work group each way; SOURCE_UNIT, of
//          the texture

layout(local_size_x = GROUP, local_size_y = GROUP) in;

#include "common/value.glsl"
#include "generated/store.glsl"

layout(binding = SOURCE_UNIT) uniform sampler2DArray glfft_transformed;

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (at.x < COLUMNS && at.y < ROWS) {
        store(at, value_of(texelFetch(glfft_transformed, at, 0)));
    }
}
