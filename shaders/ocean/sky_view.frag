// The clear sky seen from the sea, for every direction above the horizon.
// Inputs: multiple_scattering (see multiple_scattering.frag), sun_height (sine of the sun's elevation).
// Output: radiance; columns are the angle round from the sun, 0 to pi; rows as in sky_map.glsl.

#include "ocean/atmosphere.glsl"
#include "ocean/sky_map.glsl"

uniform sampler2D multiple_scattering;
uniform float sun_height;

const int STEPS = 28;
const float EYE_HEIGHT = 0.02;

in vec2 screen;
out vec4 colour;

void main() {
    vec2 uv = 0.5 + 0.5 * screen;
    float elevation = row_to_elevation(uv.y);
    float round_from_sun = uv.x * PI;
    vec3 sun = vec3(sqrt(1.0 - sun_height * sun_height), sun_height, 0.0);
    vec3 direction = vec3(cos(elevation) * cos(round_from_sun), sin(elevation), cos(elevation) * sin(round_from_sun));
    vec3 from = vec3(0.0, GROUND_RADIUS + EYE_HEIGHT, 0.0);

    float cosine = dot(direction, sun);
    float span = distance_to_sphere(from, direction, TOP_RADIUS, false);
    vec3 through = vec3(1.0);
    vec3 radiance = vec3(0.0);
    float before = 0.0;
    for (int i = 1; i <= STEPS; ++i) {
        float after = span * float(i * i) / float(STEPS * STEPS);
        vec3 position = from + direction * (0.5 * (before + after));
        float height = length(position) - GROUND_RADIUS;
        Air air = air_at(height);
        vec3 kept = exp(-air.extinction * (after - before));
        vec3 share = through * (1.0 - kept) / max(air.extinction, vec3(1e-9));
        float sun_cosine = dot(position, sun) / length(position);
        vec3 diffuse = texture(multiple_scattering,
            vec2(0.5 + 0.5 * sun_cosine, height / (TOP_RADIUS - GROUND_RADIUS))).rgb;
        vec3 direct = air.rayleigh * rayleigh_phase(cosine) + air.mie * mie_phase(cosine, MIE_FORWARD);
        radiance += share * (direct * transmittance_to_sun(position, sun) + (air.rayleigh + air.mie) * diffuse);
        through *= kept;
        before = after;
    }
    colour = vec4(radiance, 1.0);
}
