// Sunlight on clouds: high up it has passed less air than at the sea, is whiter, and the sun sets later.
// Inputs: sun_direction; those of atmosphere.glsl.
// Output: column 0, irradiance on a surface of low clouds that faces the sun, and 1, of high ones; 2, what the air below
// high clouds leaves of their light straight down.

#include "ocean/atmosphere.glsl"

uniform vec3 sun_direction;

const float LOW_CLOUDS = 1.5;    // km, CLOUD_HEIGHT of low_clouds.glsl
const float HIGH_CLOUDS = 8.0;   // km, cirrus: 5 to 13 km in temperate regions (WMO International Cloud Atlas)
const int AIR_STEPS = 96;

out vec4 colour;

// A low sun's ray is densest in its middle: even steps, of which transmittance_to_sun would need as many.
vec3 left_after(vec3 from, vec3 direction, float span) {
    vec3 depth = vec3(0.0);
    for (int i = 0; i < AIR_STEPS; ++i) {
        float height = length(from + direction * (span * (float(i) + 0.5) / float(AIR_STEPS))) - GROUND_RADIUS;
        depth += air_at(max(0.0, height)).extinction;
    }
    return exp(-depth * (span / float(AIR_STEPS)));
}

void main() {
    int column = int(gl_FragCoord.x);
    vec3 from = vec3(0.0, GROUND_RADIUS + (column == 0 ? LOW_CLOUDS : HIGH_CLOUDS), 0.0);
    vec3 light = vec3(0.0);
    if (column == 2) light = left_after(from, vec3(0.0, -1.0, 0.0), HIGH_CLOUDS);
    else if (distance_to_sphere(from, sun_direction, GROUND_RADIUS, true) < 0.0) {
        light = left_after(from, sun_direction, distance_to_sphere(from, sun_direction, TOP_RADIUS, false));
    }
    colour = vec4(light, 1.0);
}
