// A region of the result to a picture of its size.
//
// Outputs: target         an image of any format of floats
// Defines: RESULT_FIRST   column and row of the result at the region's first texel
//          CHANNELS       1, 2, or 4 of two complex numbers
//          LAYERED        1: the target is a texture array, with a layer for each of the plan's

#include "convolution/channels.glsl"
#include "convolution/layers.glsl"

#if LAYERED
writeonly uniform image2DArray target;
#else
writeonly uniform image2D target;
#endif

void store(ivec3 at, value result) {
    imageStore(target, in_layer(at.xy - RESULT_FIRST, at.z), to_channels(result));
}
