// The bottom of shallow water: sand with patches of weed, lit by the sun through the waves; and what is seen of it under water.
// Defines: TILES
// Inputs (uniforms): those of sea/readings.glsl; caustics (sunlight on the bottom under the finest tile), water_depth (m),
// water_reflectance (share of the light entering the sea that comes back up).

#include "ocean/noise.glsl"
#include "ocean/underwater.glsl"
#include "sea/readings.glsl"

uniform sampler2D caustics;
uniform float water_depth;
uniform vec3 water_reflectance;

const int FINEST = TILES - 1;   // the tile with the shortest waves
const float TOO_DEEP = 60.0;    // m; sand is no longer seen there, and deeper seas are told as this deep
const vec3 SAND_ALBEDO = vec3(0.34, 0.31, 0.24);   // as in water.py
const float OVER_SAND = 0.3;    // m; the eye stays so high above it
const float LANE = 17.0;        // m, from one to the next
const float TUFT = 4.3;         // m

// How much more sunlight falls on the bottom at a place than on the average, where pixels are smaller than what it makes there.
float caustic(vec2 place, float pixel) {
    vec2 weights = reading_weights(place, FINEST);
    float twice = dot(weights * weights, vec2(textureLod(caustics, first_reading(place, FINEST).xy, 0.0).r,
        textureLod(caustics, second_reading(place, FINEST).xy, 0.0).r));
    return mix(1.0, twice, 1.0 - smoothstep(0.15, 0.8, pixel));
}

// Light from a place of the bottom, per unit of what clear sand in even light sends up. `sunlit` is the sun's share of the light.
float light_of_sand(vec2 place, float sunlit, float pixel) {
    // Banks and hollows, beds of weed, lanes of sand through them, tufts: each turned against the last, and bent by it.
    const mat2 turned = mat2(0.848, 0.53, -0.53, 0.848);
    vec2 next = place + vec2(100.0, 800.0);   // where a first camera sees some of all
    float bank = value_noise(next / 140.0, 0);
    next = turned * next + 60.0 * bank;
    float bed = value_noise(next / 43.0, 0);
    next = turned * next + 25.0 * bed;
    float lane = 1.0 - abs(2.0 * value_noise(next / LANE, 0) - 1.0);
    next = turned * next + 6.0 * lane;
    float tuft = value_noise(next / TUFT, 0);
    // Pixels as large show the mean.
    lane = mix(lane * lane, 0.45, smoothstep(0.5, 2.0, pixel / LANE));
    tuft = mix(tuft, 0.5, smoothstep(0.5, 2.0, pixel / TUFT));
    float weed = 0.9 * bank + 0.6 * bed - 0.35 * lane + 0.35 * tuft;
    float grown = 0.7 * smoothstep(0.8, 1.0, weed) + 0.3 * smoothstep(0.8, 1.3, weed);
    float bright = mix(1.2, 0.5, grown) * mix(1.1, 0.9, bank);
    return bright * mix(1.0, caustic(place, pixel), 0.85 * sunlit);
}

// Radiance along a direction under water: the water's own and, behind it, the bottom's.
// Inputs: where it is seen from, m, and how deep under the surface that is; the direction; what a pixel covers there, m, and how
// much more in each metre on; the rest as for water_light.
vec3 light_under_water(
    vec3 from, float below, vec3 direction, float pixel, float wider, vec3 entering, vec3 sun, vec3 to_sun, float in_shafts
) {
    vec3 water = water_light(direction, below, entering, sun, to_sun, in_shafts);
    if (direction.y >= 0.0 || water_depth >= TOO_DEEP) return water;
    float steep = max(1e-4, -direction.y);
    float way = max(OVER_SAND, water_depth + from.y) / steep;
    float sunlit = sun.g / max(1e-9, entering.g);
    float bright = light_of_sand(from.xz + way * direction.xz, sunlit, (pixel + wider * way) / steep);
    // Sand is matt: it sends out 1 / pi of the light that falls on it, in all directions.
    vec3 falling = LET_IN * entering / (1.0 - HELD * water_reflectance) * exp(-EXTINCTION * water_depth);
    vec3 sand = SAND_ALBEDO * falling * (0.3183099 * bright);
    // The water's own light is less the deeper it is: of what comes from far along the ray, that much less is there.
    return sand * exp(-EXTINCTION * way) + water * (1.0 - exp(-EXTINCTION * (way * (1.0 + steep))));
}
