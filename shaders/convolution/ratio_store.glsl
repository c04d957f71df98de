// The picture divided by the blurred estimate.
//
// Inputs:  of_ones; and see extended_picture.glsl
// Outputs: ratio  of the transform's size

#include "convolution/extended_picture.glsl"

uniform bool of_ones;  // whether the estimate is the first one, whose blur is nowhere 0

writeonly uniform image2D ratio;

void store(ivec3 at, value blurred) {
    value observed = max(extended_picture(at.xy), value(0.0));
    // A blurred estimate of 0, or below it by rounding, where something was observed must not give infinity.
    value least = of_ones ? value(0.0) : 1e-6 * observed;
    value divided = observed / max(max(blurred, least), value(1e-37));
    imageStore(ratio, at.xy, to_channels(divided));
}
