// A puff of spray, where no nearer wave stands before it.
// Defines: those of still_map.glsl
// Inputs: those of lens.glsl; eye; from spray.vert, among others, the radiance of white water there.
// Output: radiance, and how much of what is behind it is hidden.

#include "ocean/lens.glsl"
#include "ocean/noise.glsl"
#include "ocean/still_map.glsl"

uniform vec3 eye;

in float opacity;
in vec3 light;
in float distance_ahead;
in vec2 streak;
in vec2 grain;
in vec2 from_middle;
out vec4 colour;

const float SLACK = 1.5;    // m, by which waves move the water sideways
const float BEND = 1.0;     // of a streak, in widths of one
const float FADE = 5.0;     // m behind a wave, where a puff, which is some metres thick, is wholly hidden

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    if (lens_depth(on_screen(pixel)) > 0.0) discard;
    vec2 place = still_at(pixel, 0);
    float behind = is_water(place) ? distance_ahead - SLACK - distance(place, eye.xz) : 0.0;
    if (behind > FADE) discard;
    float inside = max(0.0, 1.0 - dot(from_middle, from_middle));
    float own = value_noise(grain + vec2(2.0, 4.0) * from_middle, 0);
    // Each puff bends the streaks, which would be an even comb where they are seen along the wind.
    vec2 bent = streak + vec2(-0.6, 0.8) * BEND * own;
    float gathered = 0.5 * value_noise(bent, 0) + 0.5 * value_noise(2.0 * streak + 17.0, 0);
    float dense = smoothstep(0.38, 0.76, 0.6 * gathered + 0.4 * own);
    float shown = opacity * inside * inside * dense * 2.3 * (1.0 - max(0.0, behind / FADE));
    // Streaks are in the light, and what is between them in their shade: 1 in the mean over all drops.
    colour = vec4(light * (0.4 + 0.83 * dense), shown);
}
