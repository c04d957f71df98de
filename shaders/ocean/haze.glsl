// The sky as water and other things mirror it, and the air in front of them.
// Inputs (uniforms): environment (see environment.frag), environment_columns, visibility (m), sky_irradiance.

#include "ocean/sky_map.glsl"

uniform sampler2D environment;
uniform float environment_columns;
uniform float visibility;
uniform vec3 sky_irradiance;   // on a level surface, without the sun

vec3 reflected_sky(vec3 direction, float spread) {
    direction.y = abs(direction.y);   // a ray that goes down meets another wave, which reflects it upwards
    float azimuth = atan(direction.z, direction.x);
    float elevation = asin(clamp(direction.y, 0.0, 1.0));
    float level = log2(max(1.0, spread * environment_columns / (4.0 * QUARTER_TURN)));
    return textureLod(environment, vec2(azimuth / (4.0 * QUARTER_TURN), elevation_to_row(elevation)), level).rgb;
}

// Haze: the air adds the light of the sky behind it. At the horizon that light has a long way through the air and is red, and
// sea and sky meet without an edge; near air adds the light of a shorter way. Straight below, where the horizon's colours would
// meet in a point, it is the sky's mean. `away` in metres.
vec3 through_haze(vec3 light, vec3 view, float away) {
    float kept = exp(-away / visibility);
    vec3 ahead = reflected_sky(normalize(vec3(view.x, 0.001 + 0.06 * kept * kept, view.z)), 0.012 + 0.32 * kept);
    vec3 haze_colour = mix(sky_irradiance / (2.0 * QUARTER_TURN), ahead, smoothstep(0.0, 0.8, length(view.xz)));
    return mix(haze_colour, light, kept);
}
