// Values read from 3-D textures, column = x, row = y, plane = z.
//
// Defines:
//   SOURCE_UNIT   texture unit
//   IMAGE_LOADS   1: SOURCE_UNIT is an image unit, and SOURCE_FORMAT the texels' format

#include "storage/texels.glsl"

#if IMAGE_LOADS
layout(binding = SOURCE_UNIT, SOURCE_FORMAT) readonly uniform image3D glfft_source;
#else
layout(binding = SOURCE_UNIT) uniform sampler3D glfft_source;
#endif

value read_source(ivec3 at) {
#if IMAGE_LOADS
    return from_texel(imageLoad(glfft_source, at));
#else
    return from_texel(texelFetch(glfft_source, fetched(at), 0));
#endif
}
