// The light of buoys: paint that sun and salt have worn, wet and overgrown near the water, steel, a lantern.
// Inputs: what buoys.vert gives; those of lens.glsl; the light and the clouds, as for water_light.glsl; wash (how far above its waterline
//         the sea wets a buoy, m); flashing (the lantern's radiance: of buoys with even and with odd numbers); picture_size.
// Output: radiance, and how much of what is behind is hidden.

#include "ocean/buoys.glsl"
#include "ocean/haze.glsl"
#include "ocean/lens.glsl"
#include "ocean/low_clouds.glsl"
#include "ocean/noise.glsl"
#include "ocean/underwater.glsl"

uniform vec3 eye;
uniform vec2 picture_size;          // pixels
uniform vec3 water_reflectance;
uniform float wash;
uniform vec2 flashing;

in vec3 from_eye;
in vec3 facing;
in vec3 own;
flat in float material;
flat in float number;
in float opacity;
flat in vec3 own_sun;
out vec4 colour;

const float PI = 3.14159265358979;
const int PAINT = 0;
const int STEEL = 1;
const int RUBBER = 2;
const int LANTERN = 3;
const float SHEETS_FROM = 1.66;       // heights on the mast, m, as in `buoy_mesh` of apps/ocean/buoys.py
const float SHEETS_TO = 2.88;
const vec3 RUST = vec3(0.19, 0.062, 0.022);
const vec3 WEED = vec3(0.030, 0.034, 0.010);
const vec3 SALT = vec3(0.55, 0.55, 0.52);

struct Coat {
    vec3 albedo;
    vec3 mirrored;     // reflectance seen from straight above
    float roughness;
};

float hash_noise(vec2 point) {
    return value_noise(point + 17.0 * number + 5.3, 0);
}

Coat coat_at(int kind, float wet) {
    float around = atan(own.z, own.x);
    vec2 on_side = vec2(2.4 * around + 1.7 * length(own.xz), own.y);
    float blotches = mix(hash_noise(on_side * 2.3 + 3.0), hash_noise(on_side * 9.0), 0.4);
    Coat coat = Coat(vec3(0.17, 0.18, 0.18), vec3(0.20), 0.5);
    if (kind == PAINT) {
        vec3 paint = paint_of(number);
        // Sunlight bleaches it, most where it lies open to the sky.
        paint = mix(paint, 0.8 * paint + 0.06, 0.35 * blotches + 0.15 * max(0.0, facing.y));
        coat = Coat(paint, vec3(0.04), 0.42);
    } else if (kind == RUBBER) {
        coat = Coat(vec3(0.022), vec3(0.03), 0.6);
    } else if (kind == LANTERN) {
        coat = Coat(vec3(0.30, 0.32, 0.31), vec3(0.05), 0.12);
    }
    if (kind < RUBBER) {
        // Rust runs down from edges in streaks, as the rain does.
        float streak = hash_noise(vec2(6.0 * on_side.x, own.y * 0.55 + 1.7));
        float upright = 1.0 - smoothstep(0.4, 0.9, abs(facing.y));
        float rusty = smoothstep(0.62, 0.82, mix(streak, blotches, 0.35)) * upright;
        coat.albedo = mix(coat.albedo, RUST, 0.75 * rusty);
        coat.mirrored = mix(coat.mirrored, vec3(0.03), rusty);
        float birds = smoothstep(0.80, 0.88, hash_noise(vec2(2.5 * on_side.x, own.y * 1.1 + 40.0)));
        coat.albedo = mix(coat.albedo, SALT, 0.4 * birds * upright * (1.0 - wet));
    }
    // Weed grows where it is always wet.
    float ragged = 0.14 * (blotches - 0.5) + 0.10 * (hash_noise(vec2(8.0 * on_side.x, own.y * 2.0)) - 0.5);
    float grown = 1.0 - smoothstep(0.02, 0.16, own.y + ragged);
    coat.albedo = mix(coat.albedo, WEED * (0.6 + 0.8 * blotches), 0.9 * grown);
    // Water fills the pores: less light comes back, and it is smoother.
    coat.albedo *= mix(1.0, 0.55, wet);
    coat.mirrored = mix(coat.mirrored, max(coat.mirrored, vec3(0.035)), wet);
    coat.roughness = mix(coat.roughness, 0.13, 0.85 * wet);
    return coat;
}

// The share of the sun's light that passes the two crossed sheets on the mast.
float past_sheets() {
    float passed = 1.0;
    for (int side = -1; side <= 1; side += 2) {
        // Each lies in an upright plane through the axis.
        vec2 across = vec2(0.70710678, float(side) * 0.70710678);
        float speed = dot(across, own_sun.xz);
        float way = -dot(across, own.xz) / (abs(speed) < 1e-4 ? 1e-4 : speed);
        vec3 hit = own + way * own_sun;
        float soft = 0.012 + 0.006 * way;
        float within = smoothstep(-soft, soft, SHEETS_FROM - hit.y) + smoothstep(-soft, soft, hit.y - SHEETS_TO);
        // They are as wide as the legs are apart: 0.86 m from the axis at a height of 0.58 m, less above.
        within += smoothstep(-soft, soft, length(hit.xz) - (0.86 - 0.223 * (hit.y - 0.58)));
        if (way > 0.04) passed *= min(1.0, within);
    }
    return passed;
}

// Reflected radiance per unit of the sun's irradiance, besides the cosine: facets distributed as GGX (Walter et al. 2007).
vec3 glint(Coat coat, vec3 up, vec3 to_eye, vec3 to_sun) {
    vec3 half_way = normalize(to_eye + to_sun);
    float a2 = pow(max(coat.roughness, 0.08), 4.0);
    float along = max(0.0, dot(up, half_way));
    float spread = along * along * (a2 - 1.0) + 1.0;
    float density = a2 / (PI * spread * spread);
    float k = 0.5 * coat.roughness * coat.roughness;
    float seen = max(dot(up, to_eye), 0.05);
    float lit = max(dot(up, to_sun), 0.05);
    float unmasked = 1.0 / ((seen * (1.0 - k) + k) * (lit * (1.0 - k) + k));
    vec3 fresnel = coat.mirrored + (1.0 - coat.mirrored) * pow(1.0 - clamp(dot(to_eye, half_way), 0.0, 1.0), 5.0);
    return fresnel * density * unmasked / 4.0;
}

void main() {
    float away = length(from_eye);
    vec3 view = from_eye / away;
    vec3 up = normalize(facing);
    if (dot(up, view) > 0.0) up = -up;   // plates have two sides
    int kind = int(material + 0.5);
    float below = max(0.0, -own.y);
    float drops = 0.35 * wash * (value_noise(vec2(atan(own.z, own.x) * 5.0, own.y * 3.0) + number, 0) - 0.5);
    float wet = 1.0 - smoothstep(0.45 * wash, wash, own.y + drops);
    Coat coat = coat_at(kind, wet);

    // The deck shades the foot of the mast, and the hull what is under it.
    float out_from_middle = length(own.xz);
    float open_sky = mix(0.5 + 0.5 * smoothstep(0.2, 1.0, out_from_middle), 1.0, smoothstep(0.5, 1.2, own.y));
    vec3 below_light = kind == LANTERN ? vec3(1.0) : exp(-EXTINCTION * below);
    vec3 sunlight = sun_colour * sunlight_below_clouds(eye.xz + from_eye.xz, sun_direction, 3.0);
    float sunlit = max(0.0, dot(up, sun_direction)) * smoothstep(-0.02, 0.02, sun_direction.y) * past_sheets();
    vec3 entering = sunlight * max(0.0, sun_direction.y) + sky_irradiance;
    vec3 from_water = (share_leaving(water_reflectance) + 0.05) * entering;
    vec3 irradiance = sunlight * sunlit + open_sky * mix(from_water, sky_irradiance, 0.5 + 0.5 * up.y);
    vec3 light = coat.albedo / PI * irradiance;

    float at_edge = pow(1.0 - clamp(-dot(up, view), 0.0, 1.0), 5.0);
    vec3 fresnel = coat.mirrored + (1.0 - coat.mirrored) * (1.0 - coat.roughness) * at_edge;
    vec3 bounced = reflect(view, up);
    vec3 around = reflected_sky(bounced, 3.2 * coat.roughness);
    // What is mirrored from below is water, which shows less of the sky.
    around = mix(0.25 * around + from_water / PI, around, smoothstep(-0.15, 0.15, bounced.y));
    // Under water there is water on all sides, and paint mirrors little of it.
    float dry = smoothstep(-0.05, 0.05, own.y);
    fresnel *= mix(0.2, 1.0, dry);
    around = mix(from_water / PI, around, dry);
    light += open_sky * fresnel * around;
    light += dry * sunlight * sunlit * glint(coat, up, -view, sun_direction);
    light *= below_light;
    if (kind == LANTERN) light += (mod(number, 2.0) < 0.5 ? vec3(1.0, 0.10, 0.05) * flashing.x : vec3(0.10, 1.0, 0.45) * flashing.y);

    // Water or air is before it as before the lens there, whatever the still sea's level is.
    float depth = lens_depth(gl_FragCoord.xy / picture_size * 2.0 - 1.0);
    if (depth > 0.0) {
        vec3 sun = (1.0 - low_clouds) * sun_colour * max(0.0, sun_direction.y);
        light = mix(water_light(view, depth, entering, sun, sun_direction, 1.0), light, exp(-EXTINCTION * away));
        light *= boost;
    } else {
        light = through_haze(light, view, away);
    }
    light *= through_waterline(depth);
    colour = vec4(min(light, vec3(60000.0)), 1.0) * opacity;
}
