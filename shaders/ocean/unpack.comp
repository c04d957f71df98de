// From the four transformed pairs to the textures a renderer samples, and one step of the foam's memory.
//
// The foam f in [0, 1] is the part of the surface covered. It decays, grows where the surface is squeezed together, and spreads:
//   df/dt = -f / lifetime + gain * max(0, threshold - least stretch) + spread * Laplacian(f)
// The least stretch is the smaller eigenvalue of the gradient of x + choppiness * D: 1 at rest, 0 where the surface
// folds over. Decay and growth are integrated exactly over the step, so that foam does not depend on the frame rate.
//
// Inputs:  the pairs (real, imaginary) as named, metres or no unit; foam_before, the coverage of the step before
//          dxz_scale   what evolve.comp multiplied dxz by
//          choppiness  factor on the horizontal displacement
//          foam_kept   exp(-step / lifetime)
//          foam_grown  gain * lifetime * (1 - foam_kept)
//          foam_mixed  4 * spread * step / spacing², at most 1/2
//          foam_threshold
// Outputs: displacement   (dx, height, dz, foam)
//          derivatives_a  (slope_x, slope_z, dxx, dzz)
//          derivatives_b  (dxz, slope_x², slope_z², slope_x slope_z): the products, averaged in mipmaps, give the variance of
//                         the slopes that a pixel no longer resolves
//          foam_after
//          None of them contains the choppiness, save through the foam.
// Defines: SIZE, samples along a side, a multiple of 16

layout(local_size_x = 16, local_size_y = 16) in;

layout(binding = 0) uniform sampler2D dx_and_dz;
layout(binding = 1) uniform sampler2D height_and_dxz;
layout(binding = 2) uniform sampler2D slope_x_and_slope_z;
layout(binding = 3) uniform sampler2D dxx_and_dzz;
layout(binding = 4) uniform sampler2D foam_before;

layout(binding = 0) writeonly uniform image2D displacement;
layout(binding = 1) writeonly uniform image2D derivatives_a;
layout(binding = 2) writeonly uniform image2D derivatives_b;
layout(binding = 3) writeonly uniform image2D foam_after;

uniform float dxz_scale;
uniform float choppiness;
uniform float foam_kept;
uniform float foam_grown;
uniform float foam_mixed;
uniform float foam_threshold;

float foam_at(ivec2 index) {
    return texelFetch(foam_before, index & (SIZE - 1), 0).x;
}

float spread_foam(ivec2 index) {
    float around = foam_at(index + ivec2(1, 0)) + foam_at(index - ivec2(1, 0))
                 + foam_at(index + ivec2(0, 1)) + foam_at(index - ivec2(0, 1));
    return mix(foam_at(index), 0.25 * around, foam_mixed);
}

float least_stretch(vec2 dxx_dzz, float dxz) {
    vec2 along = 1.0 + choppiness * dxx_dzz;
    float across = choppiness * dxz;
    return 0.5 * (along.x + along.y) - length(vec2(0.5 * (along.x - along.y), across));
}

void main() {
    ivec2 index = ivec2(gl_GlobalInvocationID.xy);
    vec2 horizontal = texelFetch(dx_and_dz, index, 0).xy;
    vec2 height_dxz = texelFetch(height_and_dxz, index, 0).xy / vec2(1.0, dxz_scale);
    vec2 slope = texelFetch(slope_x_and_slope_z, index, 0).xy;
    vec2 stretch = texelFetch(dxx_and_dzz, index, 0).xy;

    float squeezed = max(0.0, foam_threshold - least_stretch(stretch, height_dxz.y));
    float foam = clamp(spread_foam(index) * foam_kept + foam_grown * squeezed, 0.0, 1.0);

    imageStore(displacement, index, vec4(horizontal.x, height_dxz.x, horizontal.y, foam));
    imageStore(derivatives_a, index, vec4(slope, stretch));
    imageStore(derivatives_b, index, vec4(height_dxz.y, slope * slope, slope.x * slope.y));
    imageStore(foam_after, index, vec4(foam, 0.0, 0.0, 0.0));
}
