// How deep the lens is under the surface: a thread for each of some points of the plane a little way before the eye on which
// the picture lies.
// Defines: those of displacement.glsl; IMAGE_UNIT; SIDE, points along a side of the picture
// Inputs: eye (m), near (distance of the plane, m), to_world (from a point of the screen at depth 1 to a direction from the
// eye), choppiness, smallest (distance between points of the mesh there, m).
// Output: lens_depths, m; negative above the water.

#include "sea/displacement.glsl"

layout(local_size_x = SIDE, local_size_y = SIDE) in;
layout(binding = IMAGE_UNIT, r32f) writeonly uniform image2D lens_depths;

uniform vec3 eye;
uniform float near;
uniform mat3 to_world;
uniform float choppiness;
uniform float smallest;

const int ROUNDS = 10;

void main() {
    ivec2 index = ivec2(gl_LocalInvocationID.xy);
    vec3 point = near * (to_world * vec3(2.0 * vec2(index) / float(SIDE - 1) - 1.0, -1.0));
    vec2 there = eye.xz + point.xz;
    // The place on the still sea that waves move there. Less than whole steps come to rest at crests that break, too.
    vec2 still = there;
    float height = 0.0;
    for (int i = 0; i < ROUNDS; ++i) {
        vec3 by = displaced(still, smallest);
        height = by.y;
        still += 0.7 * (there - still - choppiness * by.xz);
    }
    imageStore(lens_depths, index, vec4(height - eye.y - point.y, 0.0, 0.0, 0.0));
}
