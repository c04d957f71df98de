// The picture divided by the blurred estimate.
//
// Inputs:  see extended_picture.glsl
// Outputs: ratio  of the transform's size

#include "convolution/extended_picture.glsl"

writeonly uniform image2D ratio;

void store(ivec3 at, value blurred) {
    value observed = max(extended_picture(at.xy), value(0.0));
    // A blurred estimate of 0, or below it by rounding, where something was observed must not give infinity.
    value divided = observed / max(max(blurred, 1e-6 * observed), value(1e-30));
    imageStore(ratio, at.xy, to_channels(divided));
}
