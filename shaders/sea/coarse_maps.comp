// Makes mipmaps of a texture from one of its levels, whose side is a power of two: up to six in a dispatch.
//
// Defines: FROM, the level read, and LEVELS, how many are made; TEXTURE_UNIT, IMAGE_UNIT_0 and so on; and those of
//          sea/mipmaps.glsl
// Inputs:  fine
// Outputs: level1 .. level6   levels FROM + 1 to FROM + LEVELS

#include "sea/mipmaps.glsl"

layout(binding = TEXTURE_UNIT) uniform sampler2DArray fine;
layout(binding = IMAGE_UNIT_0) writeonly uniform image2DArray level1;
#if LEVELS > 1
layout(binding = IMAGE_UNIT_1) writeonly uniform image2DArray level2;
#endif
#if LEVELS > 2
layout(binding = IMAGE_UNIT_2) writeonly uniform image2DArray level3;
#endif
#if LEVELS > 3
layout(binding = IMAGE_UNIT_3) writeonly uniform image2DArray level4;
#endif
#if LEVELS > 4
layout(binding = IMAGE_UNIT_4) writeonly uniform image2DArray level5;
#endif
#if LEVELS > 5
layout(binding = IMAGE_UNIT_5) writeonly uniform image2DArray level6;
#endif

#define MAKE(image, level)                                                \
    mean = coarser_mean(mean, level);                                     \
    if (makes_texel(level)) imageStore(image, coarse_texel(level), mean);

void main() {
    ivec3 coarse = coarse_texel(1);
    ivec3 first = ivec3(2 * coarse.xy, coarse.z);
    vec4 mean = 0.25 * (texelFetch(fine, first, FROM) + texelFetch(fine, first + ivec3(1, 0, 0), FROM)
        + texelFetch(fine, first + ivec3(0, 1, 0), FROM) + texelFetch(fine, first + ivec3(1, 1, 0), FROM));
    imageStore(level1, coarse, mean);
#if LEVELS > 1
    MAKE(level2, 2)
#endif
#if LEVELS > 2
    MAKE(level3, 3)
#endif
#if LEVELS > 3
    MAKE(level4, 4)
#endif
#if LEVELS > 4
    MAKE(level5, 5)
#endif
#if LEVELS > 5
    MAKE(level6, 6)
#endif
}
