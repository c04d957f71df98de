// The next estimate: the estimate times a correction. The last one is written to the result.
//
// Inputs:  before        the estimate
//          had_none      whether there is none yet, and 1 takes its place
//          is_last       whether the result is written
// Outputs: after         the next estimate
//          target        the result, of any format of floats
// Defines: PICTURE_SIZE  columns and rows of the result
//          CHANNELS      1, 2, or 4 of two complex numbers

#include "convolution/channels.glsl"

uniform sampler2D before;
writeonly uniform image2D after;
writeonly uniform image2D target;
uniform bool had_none;
uniform bool is_last;

void store(ivec3 at, value correction) {
    vec4 old = had_none ? vec4(1.0) : texelFetch(before, at.xy, 0);
    vec4 texel = max(to_channels(from_channels(old) * correction), vec4(0.0));
    imageStore(after, at.xy, texel);
    if (is_last && all(lessThan(at.xy, PICTURE_SIZE))) imageStore(target, at.xy, texel);
}
