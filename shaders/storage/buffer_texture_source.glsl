// Values read from buffers through a buffer texture, in the order of storage/buffer_source.glsl. Their stores need no more
// than a barrier for texture fetches then, which on NVIDIA's GPUs takes less time than one for shader storage.
//
// Defines:
//   SOURCE_ROWS, SOURCE_COLUMNS   of a layer
//   DEPTH, SOURCE_DEPTH           of volumes
//   SOURCE_UNIT                   texture unit

#include "storage/buffer_place.glsl"
#include "storage/texels.glsl"

layout(binding = SOURCE_UNIT) uniform samplerBuffer glfft_source;

value read_source(ivec3 at) {
    int element = (plane_of(at.z, SOURCE_DEPTH) * SOURCE_ROWS + at.y) * SOURCE_COLUMNS + at.x;
    return from_texel(texelFetch(glfft_source, element));
}
