// The sky behind the water, or from under it the bottom or the deep: at each pixel that shows some of it.
// Defines: those of own_pixel.glsl and still_map.glsl; IMAGE_UNIT; FROM_ENVIRONMENT, whether
// clouds are read from environment.frag's texture, coarsely; SAND and BELOW, 0 to leave out the bottom
// and shafts of sunlight under water, else those of bottom.glsl and shafts.glsl
// Inputs: to_world (from a point of the screen at depth 1 to a direction from the eye), eye (m).
// Output: radiance.

#if SAND
#include "ocean/bottom.glsl"
#endif
#include "ocean/lens.glsl"
#include "ocean/own_pixel.glsl"
#if BELOW
#include "ocean/shafts.glsl"
#else
uniform vec3 eye;
#endif
#include "ocean/sky.glsl"
#include "ocean/still_map.glsl"
#include "ocean/underwater.glsl"

layout(binding = IMAGE_UNIT) writeonly uniform image2D radiance;

uniform mat3 to_world;
#if FROM_ENVIRONMENT
uniform sampler2D environment;
#endif
uniform vec3 sky_irradiance;   // on a level surface, without the sun

void main() {
    ivec2 pixel = own_pixel();
    if (any(greaterThanEqual(pixel, picture_size())) || water_samples(pixel) == SAMPLES) return;
    vec3 direction = normalize(to_world * vec3(on_screen(pixel), -1.0));
    float depth = lens_depth(on_screen(pixel));
    float left = through_waterline(depth);
    vec3 sun = (1.0 - low_clouds) * sun_colour * max(0.0, sun_direction.y);
#if BELOW
    float in_shafts = sun_in_shafts(direction, sun_direction, depth > -0.2 * near);
#else
    float in_shafts = 1.0;
#endif
#if SAND
    vec3 in_water = light_under_water(
        eye, depth, direction, 0.0, pixel_angle, sun + sky_irradiance, sun, sun_direction, in_shafts);
#else
    vec3 in_water = water_light(direction, depth, sun + sky_irradiance, sun, sun_direction, in_shafts);
#endif
    in_water *= boost;
    // Just above the waterline the near plane may have cut the mesh off.
    if (depth > 0.0 || (depth > -0.2 * near && direction.y < -0.02)) {
        imageStore(radiance, pixel, vec4(left * in_water, 1.0));
        return;
    }
    // Below the horizon, only a narrow strip between the far edge of the sea and the true horizon is visible: it gets the haze.
    // The sun's disk stays where it is: from high up it is seen below the level too.
    vec3 to_sky = normalize(vec3(direction.x, max(direction.y, 1e-4), direction.z));
#if FROM_ENVIRONMENT
    vec2 place = vec2(atan(to_sky.z, to_sky.x) / (2.0 * PI), elevation_to_row(asin(clamp(to_sky.y, 0.0, 1.0))));
    vec4 sky = textureLod(environment, place, 0.0);
#else
    vec4 high = with_clouds(clear_sky(to_sky), to_sky);
    float higher = CLOUD_HEIGHT - eye.y;
    vec4 sky = mix(high, with_low_clouds(high, to_sky, max(1.0, higher)), smoothstep(0.0, 50.0, higher));
#endif
    vec3 light = mix(min(with_sun(sky, direction), vec3(60000.0)), in_water, share_under_water(depth, to_world[1], picture_size().y));
    imageStore(radiance, pixel, vec4(left * light, 1.0));
}
