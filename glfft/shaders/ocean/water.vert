// Draws the sea in patches of a square grid, whose vertices move with the waves.
// Inputs: corner (0 to 1 within the patch), patch_place (x, z of the patch's corner in metres; its side; its level).
// Positions are relative to the eye, so that float32 is precise enough far from the origin.
// Defines: CELLS, grid cells along a patch's side (even).

#include "ocean/readings.glsl"

uniform sampler2DArray surface;    // height, dx, slope_x, slope_z
uniform sampler2DArray stretch;    // dz, dxz, dxx, dzz
uniform int layer;                 // of the tile in these
uniform mat4 view_projection;
uniform vec3 eye;            // m
uniform float choppiness;
uniform float resolution;    // rad between two samples of the picture, from top to bottom
uniform float reach;         // a patch of side s is used within reach * s of the eye

const float HIDDEN_WAVES = 18.0;   // half the length of a wave over a third of its height

in vec2 corner;
in vec4 patch_place;

out vec2 still;              // the point's place on the still sea, m
out vec3 from_eye;           // the point less the eye, m
out float raised;            // height over the still sea, m

vec3 read_displacement(vec2 where, float level) {
    vec2 height_dx = textureLod(surface, vec3(where, layer), level).xy;
    return vec3(height_dx.y, height_dx.x, textureLod(stretch, vec3(where, layer), level).x);
}

vec3 displaced(vec2 point, float level) {
    vec2 weights = reading_weights(point);
    vec3 first = read_displacement(first_reading(point), level);
    vec3 second = read_displacement(second_reading(point), level);
    second.xz = rotated(second.xz);
    return weights.x * first + weights.y * second;
}

float distance_to_calm(vec2 point) {
    return length(vec3(point.x - eye.x, eye.y, point.y - eye.z));
}

void main() {
    float side = patch_place.z;
    vec2 point = patch_place.xy + corner * side;
    // Towards the far end of its range a patch changes gradually into the coarser grid of the next level, so that levels meet
    // without a gap and no change is seen (Strugar, "Continuous Distance-Dependent Level of Detail", JGT 2009).
    float away = distance_to_calm(point);
    float morph = smoothstep(0.86, 0.98, away / (reach * side));
    vec2 odd = fract(corner * (float(CELLS) * 0.5)) * 2.0 / float(CELLS);
    point -= odd * (side * morph);

    float grid_spacing = side / float(CELLS) * (1.0 + morph);
    // Waves of length L are about L / 100 high. Those that would lift the surface by less than a third of the distance between
    // two samples of the picture are left to the slopes: as shapes, seen by some samples and not by others, they would make
    // dotted lines.
    float smallest = max(grid_spacing, HIDDEN_WAVES * resolution * distance_to_calm(point));
    vec3 moved = displaced(point, max(0.0, log2(smallest / spacing)));
    still = point;
    raised = moved.y;
    from_eye = vec3(point.x + choppiness * moved.x - eye.x, moved.y - eye.y, point.y + choppiness * moved.z - eye.z);
    gl_Position = view_projection * vec4(from_eye, 1.0);
}
