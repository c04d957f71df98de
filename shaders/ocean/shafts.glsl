// Shafts of sunlight in water: waves are lenses, which gather the sun's light below crests.
// Defines: TILES
// Inputs (uniforms): those of sea/readings.glsl; stretch (dz, dxz, dxx, dzz), eye (m).

#include "ocean/underwater.glsl"
#include "sea/readings.glsl"

uniform sampler2DArray stretch;
uniform vec3 eye;

const int SHAFT_READINGS = 3;
const float NEAREST_SHAFTS = 0.7;   // m from the eye
const float SHAFTS_APART = 2.5;     // how many times farther each reading is than the one before, and wider its shafts
const float FARTHER_SHAFTS = 0.8;   // its weight, of that of the one before
const float FINEST_SHAFT = 0.03;    // rad
// Where the surface is squeezed together into a crest, it gathers light as a lens does.
const float FOCUSING = 3.5;         // light gathered per squeeze, of the mean
const float MOST_GATHERED = 0.85;
const float SHAFTS_FADE = 20.0;     // m down, over which scattered light fills them to 1/e
const float SEEN_THROUGH = 10.0;    // m along a line of sight, from where most of its light comes

// How many times as much of the sun's light as on the average is seen scattered along a direction from the eye. Rays of
// the sun that cross a line of sight have entered the water along a line that begins above the eye. So all shafts run
// together towards the refracted sun, and each is one direction of such a line. 1 where the lens is not `wet`.
float sun_in_shafts(vec3 direction, vec3 to_sun, bool wet) {
    vec2 aside_by_depth = to_sun.xz * inversesqrt(REFRACTIVE_INDEX * REFRACTIVE_INDEX - dot(to_sun.xz, to_sun.xz));
    vec2 entered = direction.xz - aside_by_depth * direction.y;
    // Towards the sun itself the line is a point.
    entered /= length(entered) + 0.15;
    float squeezed = 0.0;
    float away = NEAREST_SHAFTS;
    float weight = FOCUSING;
    for (int i = 0; wet && i < SHAFT_READINGS; ++i) {
        // The farthest are those of longer waves.
        int layer = max(0, TILES - (i == SHAFT_READINGS - 1 ? 2 : 1));
        float level = max(0.0, log2(FINEST_SHAFT * away / spacing[layer]));
        vec2 stretched = textureLod(stretch, first_reading(eye.xz + away * entered, layer), level).zw;
        squeezed -= weight * (stretched.x + stretched.y);
        away *= SHAFTS_APART;
        weight *= FARTHER_SHAFTS;
    }
    float deep = max(0.0, -eye.y) + SEEN_THROUGH * max(0.0, -direction.y);
    // `squeezed` is limited alike above 0, which is its mean, and below: shafts add no light.
    return 1.0 + MOST_GATHERED * exp(-deep / SHAFTS_FADE) * squeezed * inversesqrt(1.0 + squeezed * squeezed);
}
