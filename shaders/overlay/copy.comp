// Copies a texture, to measure how fast the device copies. With FILL it writes noise instead: GPUs move zeros faster.
//
// Defines: SOURCE_UNIT, TARGET_UNIT  texture and image unit
//          FILL                      1 to write noise
// Run with a work group for each 32 x 8 texels.

layout(local_size_x = 32, local_size_y = 8) in;

#include "tuning/hash.glsl"

layout(binding = SOURCE_UNIT) uniform sampler2D source;
layout(binding = TARGET_UNIT) writeonly uniform image2D target;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
#if FILL
    uvec2 noise = uvec2(hash(uint(texel.x + 4096 * texel.y)), hash(uint(texel.y + 4096 * texel.x)));
    imageStore(target, texel, vec4(vec2(noise >> 8u), 0.0, 0.0));
#else
    imageStore(target, texel, texelFetch(source, texel, 0));
#endif
}
