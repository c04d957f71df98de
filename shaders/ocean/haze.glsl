// The sky as water and other things mirror it, and the air in front of them.
// Inputs (uniforms): environment (see environment.frag), environment_columns, visibility (m), sky_irradiance, and the sun's.

#include "ocean/low_clouds.glsl"
#include "ocean/sky_map.glsl"

uniform sampler2D environment;
uniform float environment_columns;
uniform float visibility;
uniform vec3 sky_irradiance;   // on a level surface, without the sun
uniform vec3 sun_direction;
uniform vec3 sun_colour;       // without low clouds

// Of the air at the sea, per million metres, as in atmosphere.glsl and the usual haze of sky.py.
const vec3 CLEAR_AIR = vec3(5.802, 13.558, 33.1);
const float AEROSOL = 1.6 * 3.996;
const float AEROSOL_FORWARD = 0.78;

vec3 reflected_sky(vec3 direction, float spread) {
    direction.y = abs(direction.y);   // a ray that goes down meets another wave, which reflects it upwards
    float azimuth = atan(direction.z, direction.x);
    float elevation = asin(clamp(direction.y, 0.0, 1.0));
    float level = log2(max(1.0, spread * environment_columns / (4.0 * QUARTER_TURN)));
    return textureLod(environment, vec2(azimuth / (4.0 * QUARTER_TURN), elevation_to_row(elevation)), level).rgb;
}

// Radiance per metre of air at the sea, but for a factor: sunlight that it scatters once, by Rayleigh's phase function and that of
// L. G. Henyey and J. L. Greenstein ("Diffuse radiation in the galaxy", 1941), and the light of the sky from all sides. Inputs: the
// cosine of the angle from the sun, and the mean square of angles, rad, over which it is blurred.
vec3 light_of_air(float cosine, float blurred) {
    float apart = 1.0 + AEROSOL_FORWARD * (AEROSOL_FORWARD - 2.0 * cosine + blurred);
    vec3 scattered = AEROSOL * (1.0 - AEROSOL_FORWARD * AEROSOL_FORWARD) / (apart * sqrt(apart)) + CLEAR_AIR * (0.75 + 0.75 * cosine * cosine);
    return (1.0 - low_clouds) * sun_colour * scattered + 2.0 * (CLEAR_AIR + AEROSOL) * sky_irradiance;
}

// Haze: the air adds the light of the sky behind it. At the horizon that light has a long way through the air and is red, and
// sea and sky meet without an edge; near air adds the light of a shorter way. Below a low sun, where a view goes down, it is farther
// from the sun than the horizon there, and adds less. Straight below, where the horizon's colours would meet in a point, it is the
// sky's mean. `away` in metres.
vec3 through_haze(vec3 light, vec3 view, float away) {
    float kept = exp(-away / visibility);
    vec3 level = normalize(vec3(view.x, 0.001 + 0.06 * kept * kept, view.z));
    float spread = 0.012 + 0.32 * kept;
    float blurred = spread * spread / 6.0;   // as a linear filter does over a texel to either side
    float from_sun = dot(level, sun_direction);
    vec3 less = light_of_air(min(from_sun, dot(view, sun_direction)), blurred) / max(light_of_air(from_sun, blurred), vec3(1e-9));
    vec3 ahead = reflected_sky(level, spread) * min(less, vec3(1.0));
    vec3 haze_colour = mix(sky_irradiance / (2.0 * QUARTER_TURN), ahead, smoothstep(0.0, 0.8, length(view.xz)));
    return mix(haze_colour, light, kept);
}
