// Lists the squares of pixels that show some water, and those that show some sky, for dispatches over only these: llvmpipe runs
// the whole of a shader for threads that have returned, too.
// Defines: GROUP, side of a square; those of still_map.glsl; WATER and SKY, buffer bindings
// Output: of either list the work groups to dispatch, counted in the first, and the places of its squares, see own_pixel.glsl.

#include "ocean/still_map.glsl"

layout(local_size_x = GROUP, local_size_y = GROUP) in;

layout(std430, binding = WATER) buffer Water { uvec4 water_groups; uint water_blocks[]; };
layout(std430, binding = SKY) buffer Sky { uvec4 sky_groups; uint sky_blocks[]; };

shared uint some_water;
shared uint some_sky;

void main() {
    bool first = gl_LocalInvocationIndex == 0u;
    if (first) {
        some_water = 0u;
        some_sky = 0u;
    }
    barrier();
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(pixel, picture_size()))) {
        int count = water_samples(pixel);
        if (count > 0) some_water = 1u;
        if (count < SAMPLES) some_sky = 1u;
    }
    barrier();
    if (first) {
        uint place = gl_WorkGroupID.x | gl_WorkGroupID.y << 16u;
        if (some_water == 1u) water_blocks[atomicAdd(water_groups.x, 1u)] = place;
        if (some_sky == 1u) sky_blocks[atomicAdd(sky_groups.x, 1u)] = place;
    }
}
