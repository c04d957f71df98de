// What Richardson and Lucy's algorithm transforms: an estimate of the picture, or the ratio of two pictures.
//
// Inputs:  estimate  of the transform's size
//          is_first  whether there is none yet, and 1 takes its place
// Defines: CHANNELS  1, 2, or 4 of two complex numbers

#include "convolution/channels.glsl"

uniform sampler2D estimate;
uniform bool is_first;

value load(ivec3 at) {
    return from_channels(is_first ? vec4(1.0) : texelFetch(estimate, at.xy, 0));
}
