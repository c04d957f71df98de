// A picture in a region of a larger transform.
//
// Inputs:  picture        any texture that is read as floats, with the picture's texels
// Defines: PICTURE_FIRST  column and row of the transform that its first texel is
//          CHANNELS       of the picture: 1, 2, or 4 as two complex numbers
//          LAYERED        1: the picture is a texture array, with a layer for each of the plan's

#include "convolution/channels.glsl"
#include "convolution/layers.glsl"

#if LAYERED
uniform sampler2DArray picture;
#else
uniform sampler2D picture;
#endif

value load(ivec3 at) {
    return from_channels(texelFetch(picture, in_layer(at.xy - PICTURE_FIRST, at.z), 0));
}
