// Values read from 2-D textures, column = x, row = y; there is one layer.
//
// Defines:
//   SOURCE_UNIT   texture unit
//   IMAGE_LOADS   1: SOURCE_UNIT is an image unit, and SOURCE_FORMAT the texels' format

#include "storage/texels.glsl"

#if IMAGE_LOADS
layout(binding = SOURCE_UNIT, SOURCE_FORMAT) readonly uniform image2D glfft_source;
#else
layout(binding = SOURCE_UNIT) uniform sampler2D glfft_source;
#endif

value read_source(ivec3 at) {
#if IMAGE_LOADS
    return from_texel(imageLoad(glfft_source, at.xy));
#else
    return from_texel(texelFetch(glfft_source, fetched(at.xy), 0));
#endif
}
