// Moves the points of the sea's mesh with the waves: a thread for each corner of each patch.
// Inputs: places of the patches, see patch.glsl.
// Output: moved, a row a patch and a column a corner (row by row of the grid): the point relative to the eye, m, so that
// float32 is precise enough far from the origin.
// Defines: TILES; CELLS; GROUP, threads of a work group; PLACES, a buffer binding; IMAGE_UNIT.

#include "sea/displacement.glsl"
#include "ocean/patch.glsl"
#include "ocean/planet.glsl"

layout(local_size_x = GROUP) in;

layout(std430, binding = PLACES) readonly buffer Places { vec4 places[]; };
layout(binding = IMAGE_UNIT, rgba32f) writeonly uniform image2D moved;

uniform float choppiness;
uniform float resolution;    // rad between two samples of the picture, from top to bottom

const float HIDDEN_WAVES = 18.0;   // half the length of a wave over three times its height

const int CORNERS = CELLS + 1;       // along a side

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
