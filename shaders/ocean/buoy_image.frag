// What the water shows of a buoy: its image, where waves mirror it instead of the sky, and the foam that it stirs.
// For the image a buoy is a hull and a mast round its axis, with edges that are softer the farther they are from rough water.
// Defines: TILES; SAMPLES of a pixel
// Inputs: what buoy_image.vert gives; those of displacement.glsl and lens.glsl; the light, as for buoys.frag; unresolved (covariance of the
//         slopes too short for the tiles); to_world (from a point of the screen at depth 1 to a direction from the eye).
// Output: what comes to the radiance, and the share of the radiance that it hides.

#include "ocean/buoys.glsl"
#include "sea/displacement.glsl"
#include "ocean/haze.glsl"
#include "ocean/lens.glsl"
#include "ocean/low_clouds.glsl"
#include "ocean/noise.glsl"
#include "ocean/slopes.glsl"
#include "ocean/still_map.glsl"
#include "ocean/underwater.glsl"

uniform vec3 eye;
uniform float choppiness;
uniform float pixel;
uniform vec3 unresolved;
uniform vec3 sun_direction;
uniform vec3 sun_colour;
uniform vec3 water_reflectance;
uniform float wash;

in vec3 middle;
in mat3 axes;
flat in float number;
out vec4 colour;

const float PI = 3.14159265358979;
const float REACH = 14.0;           // m, how far from the buoy its image may lie
// The buoy of `buoy_mesh` in apps/ocean/buoys.py, simplified; radii and heights over its waterline in m.
const float HULL_RADIUS = 1.25;
const float HULL_TOP = 0.55;
const float SHEETS_FROM = 1.66;     // below them the mast is a lattice
const float MAST_TOP = 3.0;
const float LATTICE = 0.30;         // the share of it that is steel
const vec3 STEEL = vec3(0.17, 0.18, 0.18);
const vec3 FOAM = vec3(0.75);
const vec3 LUMINANCE = vec3(0.2126, 0.7152, 0.0722);

float inside(float margin, float soft) {
    return smoothstep(-1.0, 1.0, margin / soft);
}

void main() {
    vec2 still = still_at(ivec2(gl_FragCoord.xy), 0);
    // From below, the surface mirrors the deep.
    if (!is_water(still) || lens_depth(on_screen(ivec2(gl_FragCoord.xy))) > 0.0) discard;
    vec2 level = still - eye.xz - middle.xz;
    if (dot(level, level) > 4.0 * REACH * REACH) discard;
    SeaPoint sea = surface_at(still, max(0.3, 2.0 * pixel * length(middle)), 0, TILES, 0);
    vec3 point = vec3(still.x + choppiness * sea.surface.y - eye.x, sea.surface.x - eye.y, still.y + choppiness * sea.stretch.x - eye.z);
    point.y -= dot(point.xz, point.xz) / (2.0 * PLANET_RADIUS);
    vec3 own = transpose(axes) * (point - middle);
    if (dot(own, own) > REACH * REACH) discard;

    vec3 up = normalize(vec3(-sea.surface.z, 1.0, -sea.surface.w));
    vec3 view = normalize(point);
    float deviation = sqrt(0.5 * (unresolved.x + unresolved.y));
    float cosine = max(0.02, dot(up, -view));
    vec3 mirror = reflect(view, normalize(up - view * (visible_slope(cosine, deviation * deviation) * 0.5)));
    mirror.y = abs(mirror.y) + 0.02;
    mirror = normalize(mirror);
    vec3 along = transpose(axes) * mirror;

    // Where the ray passes the axis, and where it would enter the hull.
    float level_speed = max(1e-4, dot(along.xz, along.xz));
    float nearest = max(0.0, -dot(own.xz, along.xz) / level_speed);
    float apart = length(own.xz + nearest * along.xz);
    float entry = max(0.0, nearest - sqrt(max(0.0, HULL_RADIUS * HULL_RADIUS - apart * apart) / level_speed));
    float ahead = dot(own.xz, along.xz) < 0.0 ? 1.0 : 0.0;
    float soft = 0.06 + 1.3 * deviation * entry;
    float hull = ahead * inside(HULL_RADIUS - apart, soft) * inside(HULL_TOP - own.y - entry * along.y, soft);
    float height = own.y + nearest * along.y;
    soft = 0.04 + 1.3 * deviation * nearest;
    // Its legs are 0.86 m from the axis at a height of 0.58 m, and lean inwards.
    float mast = inside(0.86 - 0.22 * (height - 0.58) - apart, soft) * inside(MAST_TOP - height, soft);
    float sheets = inside(height - SHEETS_FROM, soft);
    mast *= ahead * mix(LATTICE, 0.9, sheets);
    float lantern = ahead * inside(0.14 - apart, soft) * inside(3.5 - height, soft) * 0.28 / (0.28 + soft);
    float hidden = 1.0 - (1.0 - hull) * (1.0 - max(mast, lantern));

    vec3 facing = axes * normalize(vec3(own.x, 0.0, own.z) + 1e-4);
    vec3 sunlight = sun_colour * sunlight_below_clouds(eye.xz + point.xz, sun_direction, 3.0);
    vec3 entering = sunlight * max(0.0, sun_direction.y) + sky_irradiance;
    vec3 irradiance = sunlight * max(0.0, dot(facing, sun_direction)) + 0.5 * sky_irradiance
        + 0.5 * (share_leaving(water_reflectance) + 0.05) * entering;
    vec3 albedo = mix(mix(STEEL, paint_of(number), sheets), 0.7 * paint_of(number), hull / max(1e-3, hidden));
    vec3 seen = albedo / PI * irradiance;
    // What it hides is that share of the water's light which the sky gives.
    float mirrored = mean_fresnel(cosine, deviation);
    float sky = mirrored * dot(reflected_sky(mirror, 3.2 * deviation), LUMINANCE);
    float deep = (1.0 - mirrored) * dot(share_leaving(water_reflectance) * entering, LUMINANCE) / PI;
    vec3 light = mirrored * hidden * seen;
    float gone = hidden * sky / max(1e-6, sky + deep);

    // Foam that the hull stirs up, in patches along its waterline.
    float out_from_hull = length(own.xz) - 1.16;
    vec2 round = vec2(atan(own.z, own.x) * 5.0, 2.2 * length(own.xz)) + 7.0 * number;
    float lace = 0.55 * value_noise(round, 0) + 0.45 * value_noise(2.9 * round + 3.1, 0);
    float foamy = smoothstep(0.35, 0.62, lace - 1.1 * max(0.0, out_from_hull) / max(0.1, 2.2 * wash) + 0.28)
        * smoothstep(0.13, 0.4, wash) * 0.8;
    light = mix(light, FOAM / PI * entering, foamy);
    gone = mix(gone, 1.0, foamy);

    float kept = exp(-length(point) / visibility);
    colour = kept * vec4(light, gone);
}
