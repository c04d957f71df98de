// The sky behind the water.
// Inputs: to_world (from a point of the screen at depth 1 to a direction from the eye), pixel_angle (radians).
// Output: radiance.

#include "ocean/sky.glsl"

uniform mat3 to_world;
uniform float pixel_angle;

in vec2 screen;
out vec4 colour;

void main() {
    vec3 direction = normalize(to_world * vec3(screen, -1.0));
    // Below the horizon, only a narrow strip between the far edge of the sea and the true horizon is visible: it gets the haze.
    direction.y = max(direction.y, 1e-4);
    direction = normalize(direction);
    vec4 sky = sky_radiance(direction);
    // Clouds hide the disk more than the sky behind them: light that is scattered even once leaves its small angle.
    vec3 disk = sun_disk(direction, pixel_angle) * sky.a * sqrt(sky.a);
    colour = vec4(min(sky.rgb + disk, vec3(60000.0)), 1.0);
}
