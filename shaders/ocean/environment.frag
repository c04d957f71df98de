// The upper half of the sky with its clouds, but without the sun's disk, as a texture. Its mipmaps are the blurred sky that
// rough water reflects. Alpha is what clouds let through. Columns are the azimuth atan(z, x), rows as in sky_map.glsl.

#include "ocean/sky.glsl"

in vec2 screen;
out vec4 colour;

void main() {
    vec2 uv = 0.5 + 0.5 * screen;
    float azimuth = uv.x * 2.0 * PI;
    float elevation = row_to_elevation(uv.y);
    vec3 direction = vec3(cos(elevation) * cos(azimuth), sin(elevation), cos(elevation) * sin(azimuth));
    colour = sky_radiance(direction);
}
