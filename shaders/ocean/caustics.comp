// How much more sunlight falls on the bottom than on the average, under the finest tile: waves are lenses. A place adds up the
// light of rays that enter the water around it, each turned by a share of the slope that it meets.
// Defines: TILES; SIDE, texels along a side; AROUND, rays on each side of a place; IMAGE_UNIT
// Inputs: those of sea/readings.glsl; reach, m that a ray moves aside per unit of slope.
// Output: factors, 1 in the mean; periodic as the tile is.

#include "sea/readings.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = IMAGE_UNIT, r16f) writeonly uniform image2D caustics;

uniform sampler2DArray surface;   // height, dx, slope_x, slope_z
uniform float reach;

const float STEEPEST_SEEN = 0.3;  // rays that meet steeper slopes are lost
const float WIDTH = 0.6;          // of a narrow ray, in distances between two; a wide one has twice its area
const vec2 GATHERED = vec2(0.5, 0.9);   // factors up to which rays are wide, and from which on they are narrow

void main() {
    vec2 place = (vec2(gl_GlobalInvocationID.xy) + 0.5) / float(SIDE);
    float apart = max(max(spacing[TILES - 1], tile[TILES - 1] / float(SIDE)), STEEPEST_SEEN * reach / float(AROUND));
    float level = max(0.0, log2(apart / spacing[TILES - 1]));
    // Where waves draw rays apart, narrow ones would show as a grid; where they gather, wide ones would blur the light.
    float narrow = 0.0;
    float wide = 0.0;
    for (int z = -AROUND; z <= AROUND; ++z) {
        for (int x = -AROUND; x <= AROUND; ++x) {
            vec2 entered = apart * vec2(x, z);
            vec2 slope = textureLod(surface, vec3(place + entered / tile[TILES - 1], TILES - 1), level).zw;
            vec2 missed = (entered + reach * slope) / (WIDTH * apart);
            float half_way = exp(-0.25 * dot(missed, missed));
            narrow += half_way * half_way;
            wide += half_way;
        }
    }
    narrow /= 6.28318531 * WIDTH * WIDTH;
    wide /= 2.0 * 6.28318531 * WIDTH * WIDTH;
    float factor = mix(wide, narrow, smoothstep(GATHERED.x, GATHERED.y, wide));
    imageStore(caustics, ivec2(gl_GlobalInvocationID.xy), vec4(factor));
}
