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
const float LATTICE_BLURRED = 0.25; // m, of a blur in which its bars are no longer seen
const vec3 STEEL = vec3(0.17, 0.18, 0.18);
const vec3 FOAM = vec3(0.75);
const vec3 LUMINANCE = vec3(0.2126, 0.7152, 0.0722);

float inside(float margin, float soft) {
    return smoothstep(-1.0, 1.0, margin / soft);
}

// A corner of the mast at a height, as `_tower` puts it.
vec3 on_leg(int corner, float height) {
    float out_there = (0.86 - 0.222689 * (height - 0.58)) * 0.70710678;
    bool right = corner % 4 == 0 || corner % 4 == 3;
    return vec3(right ? out_there : -out_there, height, corner % 4 < 2 ? out_there : -out_there);
}

// The share of a ray that a bar hides: half its width, m; and 1 for one in front of the ray's beginning.
float bar_in_the_way(vec3 from, vec3 along, vec3 foot, vec3 head, float thick, float soft) {
    // Where the ray and the bar are nearest to each other.
    vec3 bar = head - foot;
    vec3 apart = from - foot;
    float slant = dot(along, bar);
    float on_bar = (dot(apart, bar) - slant * dot(apart, along)) / max(1e-4, dot(bar, bar) - slant * slant);
    vec3 nearest = foot + clamp(on_bar, 0.0, 1.0) * bar;
    float away = dot(nearest - from, along);
    float wide = max(thick, soft);
    // A blurred bar hides as much as a sharp one in all.
    return away < 0.0 ? 0.0 : inside(thick - distance(from + away * along, nearest), wide) * min(1.0, 5.3 * thick / wide);
}

// The share of a ray that the legs of the mast and the struts between them hide.
float lattice_in_the_way(vec3 from, vec3 along, float soft) {
    float left = 1.0;
    for (int corner = 0; corner < 4; ++corner) {
        left *= 1.0 - bar_in_the_way(from, along, on_leg(corner, 0.58), on_leg(corner, 2.96), 0.036, soft);
        for (int ring = 0; ring < 2; ++ring) {
            float low = ring == 0 ? 0.62 : 0.98;
            float high = ring == 0 ? 0.98 : 1.62;
            left *= 1.0 - bar_in_the_way(from, along, on_leg(corner, high), on_leg(corner + 1, high), 0.024, soft);
            left *= 1.0 - bar_in_the_way(from, along, on_leg(corner, low), on_leg(corner + 1, high), 0.016, soft);
            left *= 1.0 - bar_in_the_way(from, along, on_leg(corner + 1, low), on_leg(corner, high), 0.016, soft);
        }
    }
    return 1.0 - left;
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
    float lattice = LATTICE;
    if (soft < LATTICE_BLURRED && mast > 0.0) {
        // As sharp as the water mirrors, and no sharper than pixels are.
        float sharp = soft - 0.04 + 1.5 * pixel * (length(middle) + nearest);
        lattice = mix(lattice_in_the_way(own, along, sharp), LATTICE, smoothstep(0.4, 1.0, soft / LATTICE_BLURRED));
    }
    mast *= ahead * mix(lattice, 0.9, sheets);
    float lantern = ahead * inside(0.14 - apart, soft) * inside(3.5 - height, soft) * inside(height - 2.96, soft) * 0.28 / (0.28 + soft);
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
