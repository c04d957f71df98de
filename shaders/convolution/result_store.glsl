// A region of the result to a picture of its size.
//
// Outputs: target         an image of any format of floats
// Defines: RESULT_FIRST   column and row of the result at the region's first texel
//          CHANNELS       1, 2, or 4 of two complex numbers
//          LAYERED        1: the target is a texture array, with a layer for each of the plan's

#include "convolution/channels.glsl"

#if LAYERED
writeonly uniform image2DArray target;
#define place_in_target(at) ivec3(at.xy - RESULT_FIRST, at.z)
#else
writeonly uniform image2D target;
#define place_in_target(at) (at.xy - RESULT_FIRST)
#endif

void store(ivec3 at, value result) {
    imageStore(target, place_in_target(at), to_channels(result));
}
