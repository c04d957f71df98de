// Where waves move the points of the still sea.
// Defines and inputs: those of readings.glsl, and the textures of the fields.

#include "ocean/readings.glsl"

uniform sampler2DArray surface;    // height, dx, slope_x, slope_z
uniform sampler2DArray stretch;    // dz, dxz, dxx, dzz

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
