// The whole upper sky, clouds and all but the sun's disk, as one texture whose mipmaps are the sky seen blurred:
// what rough water reflects. Columns are the azimuth atan(z, x), rows as in sky_map.glsl.

#include "ocean/sky.glsl"

in vec2 screen;
out vec4 colour;

void main() {
    vec2 at = 0.5 + 0.5 * screen;
    float azimuth = at.x * 2.0 * HALF_TURN;
    float elevation = row_to_elevation(at.y);
    vec3 direction = vec3(cos(elevation) * cos(azimuth), sin(elevation), cos(elevation) * sin(azimuth));
    colour = vec4(sky_radiance(direction).rgb, 1.0);
}
