// A picture with its glare: what stays in its pixel, and what has come from others.
// Inputs:   picture; core (1 x 1: share of each colour that diffraction leaves in its pixel); strength, 1 for what diffraction
//           spreads, more or less for so many times as much
//           SMOOTH 0: spread, layers red, green, blue, what the other pixels send; received, the same of even light
//           SMOOTH 1: blurred, a picture of all light, spread in another way, of any size and filtered linearly
// Outputs:  merged (alpha is the picture's).   Defines: SMOOTH, PICTURE_UNIT, SPREAD_UNIT, CORE_UNIT, RECEIVED_UNIT (not if
//           SMOOTH), IMAGE_UNIT

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = PICTURE_UNIT) uniform sampler2D picture;
#if SMOOTH
layout(binding = SPREAD_UNIT) uniform sampler2D blurred;
#else
layout(binding = SPREAD_UNIT) uniform sampler2DArray spread;
layout(binding = RECEIVED_UNIT) uniform sampler2DArray received;
#endif
layout(binding = CORE_UNIT) uniform sampler2D core;
layout(rgba16f, binding = IMAGE_UNIT) writeonly uniform image2D merged;

uniform float strength;

#include "glare/finite.glsl"

vec3 layers_of(sampler2DArray colours, ivec2 at) {
    return vec3(
        texelFetch(colours, ivec3(at, 0), 0).r, texelFetch(colours, ivec3(at, 1), 0).r, texelFetch(colours, ivec3(at, 2), 0).r
    );
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = textureSize(picture, 0);
    if (any(greaterThanEqual(at, size))) return;
    vec4 texel = texelFetch(picture, at, 0);
    vec3 leaves = 1.0 - texelFetch(core, ivec2(0), 0).rgb;
    // No more can leave a pixel than is there.
    float times = min(strength, 1.0 / max(1e-6, max(leaves.r, max(leaves.g, leaves.b))));
#if SMOOTH
    vec3 others = leaves * textureLod(blurred, (vec2(at) + 0.5) / vec2(size), 0.0).rgb;
#else
    vec3 others = layers_of(spread, at);
    // What would leave the picture stays: its edges are as bright as its middle. A pixel sends into the picture as much as
    // it receives from one of even light, since kernels are symmetric.
    leaves = layers_of(received, at);
#endif
    // Rounding may leave a little less than no light.
    vec3 light = finite_light(texel.rgb) * (1.0 - times * leaves) + times * max(others, vec3(0.0));
    imageStore(merged, at, vec4(finite_light(light), texel.a));
}
