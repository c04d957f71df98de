// The colours of a picture as layers; what is no number counts as dark, and what is brighter than half floats hold as their
// largest number.
// Inputs: picture.   Outputs: layers (red, green, blue).   Defines: PICTURE_UNIT, IMAGE_UNIT

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = PICTURE_UNIT) uniform sampler2D picture;
layout(r16f, binding = IMAGE_UNIT) writeonly uniform image2DArray layers;

#include "glare/finite.glsl"

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, textureSize(picture, 0)))) return;
    vec3 light = finite_light(texelFetch(picture, at, 0).rgb);
    imageStore(layers, ivec3(at, 0), vec4(light.r));
    imageStore(layers, ivec3(at, 1), vec4(light.g));
    imageStore(layers, ivec3(at, 2), vec4(light.b));
}
