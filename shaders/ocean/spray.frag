// A puff of spray, where no nearer wave stands before it.
// Defines: those of still_map.glsl
// Inputs: those of lens.glsl; light (radiance of white water), eye.
// Output: radiance, and how much of what is behind it is hidden.

#include "ocean/lens.glsl"
#include "ocean/noise.glsl"
#include "ocean/still_map.glsl"

uniform vec3 light;
uniform vec3 eye;

in float opacity;
in float distance_ahead;
in vec2 grain;
in vec2 from_middle;
out vec4 colour;

const float SLACK = 1.5;    // m, by which waves move the water sideways

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    if (lens_depth(on_screen(pixel)) > 0.0) discard;
    vec2 place = still_at(pixel, 0);
    if (is_water(place) && distance(place, eye.xz) < distance_ahead - SLACK) discard;
    float inside = max(0.0, 1.0 - dot(from_middle, from_middle));
    float torn = value_noise(grain + vec2(1.5, 2.5) * from_middle, 0) + 0.5 * value_noise(grain + vec2(4.0, 6.0) * from_middle, 0);
    colour = vec4(light, opacity * inside * inside * smoothstep(0.3, 1.1, torn) * 1.7);
}
