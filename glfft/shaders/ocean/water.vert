// Draws the sea in patches of a square grid, whose vertices move with the waves.
// Inputs: corner (0 to 1 within the patch), patch_place (x, z of the patch's corner in metres; its side; its level).
// Positions are relative to the eye, so that float32 is precise enough far from the origin.
// Defines: CELLS, grid cells along a patch's side (even); TILES.

#include "ocean/readings.glsl"

uniform sampler2DArray surface;    // height, dx, slope_x, slope_z
uniform sampler2DArray stretch;    // dz, dxz, dxx, dzz
uniform mat4 view_projection;
uniform vec3 eye;            // m
uniform float choppiness;
uniform float resolution;    // rad between two samples of the picture, from top to bottom
uniform float reach;         // a patch of side s is used within reach * s of the eye

const float PLANET_RADIUS = 6360e3;  // m
const float HIDDEN_WAVES = 18.0;   // half the length of a wave over a third of its height

in vec2 corner;
in vec4 patch_place;

out vec2 still;              // the point's place on the still sea, m

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
    vec3 moved = displaced(point, smallest);
    still = point;
    vec3 from_eye = vec3(point.x + choppiness * moved.x - eye.x, moved.y - eye.y, point.y + choppiness * moved.z - eye.z);
    from_eye.y -= dot(from_eye.xz, from_eye.xz) / (2.0 * PLANET_RADIUS);
    gl_Position = view_projection * vec4(from_eye, 1.0);
}
