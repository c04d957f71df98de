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
const float WIDTH = 0.6;          // of a ray, in distances between two

void main() {
    vec2 place = (vec2(gl_GlobalInvocationID.xy) + 0.5) / float(SIDE);
    float apart = max(max(spacing[TILES - 1], tile[TILES - 1] / float(SIDE)), STEEPEST_SEEN * reach / float(AROUND));
    float level = max(0.0, log2(apart / spacing[TILES - 1]));
    float sum = 0.0;
    for (int z = -AROUND; z <= AROUND; ++z) {
        for (int x = -AROUND; x <= AROUND; ++x) {
            vec2 entered = apart * vec2(x, z);
            vec2 slope = textureLod(surface, vec3(place + entered / tile[TILES - 1], TILES - 1), level).zw;
            vec2 missed = (entered + reach * slope) / (WIDTH * apart);
            sum += exp(-0.5 * dot(missed, missed));
        }
    }
    imageStore(caustics, ivec2(gl_GlobalInvocationID.xy), vec4(sum / (6.28318531 * WIDTH * WIDTH)));
}
