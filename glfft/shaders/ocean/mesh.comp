// Moves the points of the sea's mesh with the waves: a thread for each corner of each patch.
// Inputs: places of the patches, see patch.glsl.
// Output: moved, a row a patch and a column a corner (row by row of the grid): the point relative to the eye, m, so that
// float32 is precise enough far from the origin.
// Defines: TILES; CELLS; PLACES, a buffer binding; IMAGE_UNIT.

#include "ocean/readings.glsl"
#include "ocean/patch.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = PLACES) readonly buffer Places { vec4 places[]; };
layout(binding = IMAGE_UNIT, rgba32f) writeonly uniform image2D moved;

uniform sampler2DArray surface;    // height, dx, slope_x, slope_z
uniform sampler2DArray stretch;    // dz, dxz, dxx, dzz
uniform float choppiness;
uniform float resolution;    // rad between two samples of the picture, from top to bottom

const float PLANET_RADIUS = 6360e3;  // m
const float HIDDEN_WAVES = 18.0;   // half the length of a wave over a third of its height

const int CORNERS = CELLS + 1;       // along a side

vec3 read_displacement(vec3 where, float level) {
    vec2 height_dx = textureLod(surface, where, level).xy;
    return vec3(height_dx.y, height_dx.x, textureLod(stretch, where, level).x);
}

// The displacement by waves of two samples or more `smallest` metres apart, of all tiles.
vec3 displaced(vec2 point, float smallest) {
    vec3 sum = vec3(0.0);
    for (int layer = 0; layer < TILES; ++layer) {
        // The longest waves of a further tile fit into it six times: they go before the mesh is too coarse for them.
        float kept = layer == 0 ? 1.0 : clamp(2.0 - 12.0 * smallest / tile[layer], 0.0, 1.0);
        if (kept == 0.0) break;
        float level = max(0.0, log2(smallest / spacing[layer]));
        vec2 weights = kept * reading_weights(point, layer);
        vec3 first = read_displacement(first_reading(point, layer), level);
        vec3 second = read_displacement(second_reading(point, layer), level);
        second.xz = rotated(second.xz);
        sum += weights.x * first + weights.y * second;
    }
    return sum;
}

void main() {
    int index = int(gl_GlobalInvocationID.x);
    int row = int(gl_GlobalInvocationID.y);
    if (index >= CORNERS * CORNERS) return;
    vec3 spaced = point_and_spacing(vec2(index % CORNERS, index / CORNERS) / float(CELLS), places[row]);
    vec2 point = spaced.xy;
    // Waves of length L are about L / 100 high. Those that would lift the surface by less than a third of the distance between
    // two samples of the picture are left to the slopes: as shapes, seen by some samples and not by others, they would make
    // dotted lines.
    float smallest = max(spaced.z, HIDDEN_WAVES * resolution * distance_to_calm(point));
    vec3 by = displaced(point, smallest);
    vec3 from_eye = vec3(point.x + choppiness * by.x - eye.x, by.y - eye.y, point.y + choppiness * by.z - eye.z);
    from_eye.y -= dot(from_eye.xz, from_eye.xz) / (2.0 * PLANET_RADIUS);
    imageStore(moved, ivec2(index, row), vec4(from_eye, 0.0));
}
