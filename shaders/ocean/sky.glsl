// The sky, the same for the background and for reflections: clear air from sky_view.frag, high and low clouds, the sun's disk.
// Directions are those of the world, with y up.
// Inputs (uniforms): sky_view, cloud_sunlight, sun_direction (unit, towards the sun), sun_colour (what reaches the sea,
// relative to the sun outside the atmosphere), cloud_cover (0 clear to 1); those of low_clouds.glsl; pixel_angle (radians).

#include "ocean/low_clouds.glsl"
#include "ocean/noise.glsl"
#include "ocean/sky_map.glsl"

uniform sampler2D sky_view;
uniform sampler2D cloud_sunlight;    // see cloud_sunlight.frag
uniform vec3 sun_direction;
uniform vec3 sun_colour;
uniform float cloud_cover;
uniform float pixel_angle;

const float PI = 3.14159265358979;
const float SUN_RADIUS = 0.00467;   // radians
const float SIDES_REACH = 2600.0;   // m, along the level
const float TOWERS = 0.6;           // the height of clouds above their base, of what the base is above the eye
const float TOP = 1.3;              // how far above the edge the highest clouds are, see above_cloud_edge
const int SIDE_STEPS = 5;
const float SIDE_BLUR = 0.45;       // how far sides are smoothed, of the way from one step to the next
const float BASE_BLUR = 0.22;       // how far the base that they stand on is, of the same
const float HEAPS_FROM = 600.0;     // m away, up to which the tile goes once round the eye, see side_heaps
const float HEAPS_GAIN = 1.35;      // makes up for what is smoothed
const vec3 LUMINANCE = vec3(0.2126, 0.7152, 0.0722);

vec3 clear_sky(vec3 direction) {
    vec2 level = normalize(direction.xz + vec2(1e-6, 0.0));
    vec2 level_sun = normalize(sun_direction.xz + vec2(1e-6, 0.0));
    float round_from_sun = acos(clamp(dot(level, level_sun), -1.0, 1.0));
    float elevation = asin(clamp(direction.y, 0.0, 1.0));
    return textureLod(sky_view, vec2(round_from_sun / PI, elevation_to_row(elevation)), 0.0).rgb;
}

float cloud_thickness(vec2 point) {
    // The field is stretched along x and bent by itself: fibres, not cotton balls.
    vec2 bent = point + 0.9 * vec2(value_noise(point * 0.7, 0), value_noise(point * 0.7 + 31.7, 0));
    float banks = fractal_noise(point * 0.22 + 5.0, 3);
    float fibres = fractal_noise(bent * vec2(0.8, 1.7), 5);
    float cover = mix(0.75, 0.25, cloud_cover);
    return smoothstep(cover, cover + 0.42, 0.55 * banks + 0.45 * fibres);
}

// How the clouds change the clear sky's radiance in a direction; the alpha is what they let through.
vec4 with_clouds(vec3 clear, vec3 direction) {
    if (cloud_cover <= 0.0 || direction.y <= 0.0) return vec4(clear, 1.0);
    // A flat layer would run to infinity at the horizon; the planet's curve ends it.
    vec2 point = direction.xz / (direction.y + 0.09) * 1.6;
    float thickness = cloud_thickness(point);
    if (thickness <= 0.0) return vec4(clear, 1.0);
    vec2 towards_sun = normalize(sun_direction.xz + vec2(1e-6, 0.0)) * 0.35;
    float shade = exp(-1.5 * cloud_thickness(point + towards_sun) - 0.6 * thickness);
    float cosine = dot(direction, sun_direction);
    float forward = 0.26 + 0.9 * pow(max(0.0, 0.5 + 0.5 * cosine), 24.0);
    vec3 above = clear_sky(vec3(0.0, 1.0, 0.0));
    vec3 lit = texelFetch(cloud_sunlight, ivec2(1, 0), 0).rgb * (shade * forward) + 1.6 * above + 0.25 * clear;
    float opacity = 0.85 * (1.0 - exp(-2.2 * thickness)) * smoothstep(0.0, 0.13, direction.y);
    // The air below them dims their light, of which blue the most, and adds its own: about that of the clear sky.
    vec3 kept = pow(texelFetch(cloud_sunlight, ivec2(2, 0), 0).rgb, vec3(1.0 / (direction.y + 0.01)));
    return vec4(mix(clear, lit, opacity * kept), 1.0 - opacity);
}

// The ragged reading of clouds seen from the side: heaps as high as wide in the picture. In the plane of the clouds'
// base they would be streaks along the horizon. So the tile goes round the eye, and up, by angles: twice as often at
// each doubling of the distance, m, so that heaps keep their size.
float side_heaps(vec3 direction, float away) {
    float octave = log2(max(1.0, away / HEAPS_FROM));
    float whole = floor(octave);
    float part = octave - whole;
    vec2 turns = vec2(atan(direction.z, direction.x + 1e-6), asin(clamp(direction.y, 0.0, 1.0))) * (exp2(whole) / (2.0 * PI));
    float level = log2(pixel_angle / (2.0 * PI) * float(textureSize(cloud_tile, 0).x)) + whole;
    vec2 heaps = vec2(textureLod(cloud_tile, turns, level).r, textureLod(cloud_tile, 2.0 * turns, level + 1.0).r);
    // A mixture varies less than its parts.
    return CLOUD_MEAN + HEAPS_GAIN * dot(heaps - CLOUD_MEAN, vec2(1.0 - part, part)) / length(vec2(1.0 - part, part));
}

// The sides of clouds beyond the place where a ray meets their base: how much is in the way, and how high up, from 0 to 1.
// Inputs: that place, m; how far the ray goes on to the highest tops, m; a ragged reading; what a pixel covers, m.
vec2 cloud_sides(vec2 point, vec2 reach, float ragged, float footprint) {
    // What is smaller than the way between two steps would be seen once for each, as a pile of flakes.
    footprint = max(footprint, SIDE_BLUR / float(SIDE_STEPS) * length(reach));
    vec2 sides = vec2(0.0);
    for (int i = SIDE_STEPS; i >= 1; --i) {
        float height = (float(i) - 0.4) / float(SIDE_STEPS);
        float over = above_cloud_edge(smooth_clouds(point + height * reach, footprint), ragged);
        float thick = cloud_thickness_of(max(0.0, over - TOP * height * height));
        sides = vec2(sides.x + thick, mix(height, sides.y, exp(-CLOUD_EXTINCTION * thick)));
    }
    return sides;
}

// Low clouds before all that; the alpha is what they let through. Thin, they scatter the sun's light forwards and are bright;
// thick, they are grey below. They are so much higher than the eye, m.
vec4 with_low_clouds(vec4 behind, vec3 direction, float higher) {
    if (low_clouds <= 0.0 || direction.y <= 0.0) return behind;
    // The planet's curve ends the layer, the later the higher it is.
    float steep = direction.y + 0.035 * sqrt(higher / CLOUD_HEIGHT);
    vec2 slant = direction.xz / steep;
    vec2 point = slant * higher;
    float footprint = pixel_angle * higher / (steep * sqrt(steep));
    float shaded = low_clouds * sqrt(low_clouds);   // share of the air below in shadow, fitted to mean extinction
    // Far clouds are seen as if lower, or the next ones would be passed by.
    vec2 reach = slant * min(TOWERS * higher, SIDES_REACH / max(1e-3, length(slant)));
    // Overhead, close by and below a closed layer their base is seen.
    float away = length(point);
    float from_side = smoothstep(0.5, 2.0, length(slant)) * smoothstep(0.3, 1.0, away / HEAPS_FROM) * (1.0 - low_clouds * shaded);
    float heaps = side_heaps(direction, away);
    float ragged = mix(ragged_clouds(point, footprint), heaps, from_side);
    footprint = max(footprint, BASE_BLUR / float(SIDE_STEPS) * length(reach));
    float thick = low_cloud_depth_of(smooth_clouds(point, footprint), ragged);
    vec2 side = cloud_sides(point, reach, ragged, footprint);
    vec2 towards_sun = sun_direction.xz / max(0.15, sun_direction.y + 0.1);
    float between = low_cloud_depth_of(smooth_clouds(point + 160.0 * towards_sun, footprint), ragged)
        + 0.5 * low_cloud_depth_of(smooth_clouds(point + 500.0 * towards_sun, footprint), CLOUD_MEAN);
    float cosine = dot(direction, sun_direction);
    float forward = 0.05 + 0.55 * pow(max(0.0, 0.5 + 0.5 * cosine), 30.0);
    // Thick clouds pass on the light from above them, which is white: that of the sun as high as it stands, and of the blue sky.
    // Where they leave gaps they are also lit from the sides.
    float diffuse = mix(0.07, 0.2 * max(0.0, sun_direction.y), shaded);
    float sky_through = mix(0.35, 0.25, shaded);
    float sunlit = exp(-0.8 * thick) * (0.16 + forward) * exp(-0.25 * between) + diffuse * exp(-0.12 * (thick + between));
    vec3 above = clear_sky(vec3(0.0, 1.0, 0.0));
    vec3 sun = texelFetch(cloud_sunlight, ivec2(0), 0).rgb * smoothstep(-0.1, 0.3, sun_direction.y + 0.15);
    vec3 lit = sun * sunlit + mix(sky_through, 1.0, exp(-0.5 * thick)) * above;
    // Sides that face the sun are white, more so further up.
    float facing = 0.5 - 0.5 * dot(normalize(slant + vec2(1e-6, 0.0)), sun_direction.xz) + 0.3 * sun_direction.y;
    float side_sunlit = mix(0.1, 0.27, facing) * mix(0.5, 1.0, side.y) + 0.6 * (0.1 + forward) * exp(-0.8 * side.x);
    // Between heaps there is shade.
    side_sunlit *= clamp(1.0 + 2.2 * from_side * (heaps - CLOUD_MEAN), 0.6, 1.4);
    vec3 side_lit = sun * side_sunlit + mix(0.6, 1.1, side.y) * above;
    // Far clouds lie behind the haze, which is as bright as the sky behind where the sun shines on it, elsewhere as the clouds.
    vec3 haze = mix(behind.rgb, 0.2 * diffuse * sun_colour + sky_through * above, shaded);
    // At the horizon haze that thins to 1/e over 1200 m is 91 times as thick as upwards (Chapman 1931); an eye higher up has less above it.
    float seen = exp(-0.11 / (direction.y * exp((CLOUD_HEIGHT - higher) / 1200.0) + 0.011));
    float kept = exp(-CLOUD_EXTINCTION * thick);
    float kept_by_side = exp(-CLOUD_EXTINCTION * side.x);
    vec3 colour = mix(haze, mix(lit, mix(side_lit, behind.rgb, kept_by_side), kept), seen);
    kept *= kept_by_side;
    // Light that went back and forth below a closed layer is nearly white.
    float white = 0.7 * pow(low_clouds, 8.0) * (1.0 - seen * kept);
    return vec4(mix(colour, vec3(dot(colour, LUMINANCE)), white), behind.a * kept);
}

vec4 sky_radiance(vec3 direction) {
    return with_low_clouds(with_clouds(clear_sky(direction), direction), direction, CLOUD_HEIGHT);
}

// A sky with the sun's disk in it, darker towards its edge (limb darkening as cosine to the power 0.45, near enough in all colours).
vec3 with_sun(vec4 sky, vec3 direction) {
    float away = distance(direction, sun_direction);
    float inside = 1.0 - smoothstep(SUN_RADIUS - 0.5 * pixel_angle, SUN_RADIUS + 0.5 * pixel_angle, away);
    float limb = pow(max(1e-3, 1.0 - min(1.0, away * away / (SUN_RADIUS * SUN_RADIUS))), 0.22);
    // Clouds hide the disk much more than they dim the sea: nearly all light that passes them is scattered out of its small angle,
    // some of it into a glow around.
    vec3 disk = sun_colour * (pow(sky.a, 6.0) / (PI * SUN_RADIUS * SUN_RADIUS));
    vec3 glow = sun_colour * (14.0 * sky.a * (1.0 - sky.a) * (1.0 - sky.a) * exp(-away / 0.013));
    // The disk is so bright that a pixel is white if a thousandth of it is covered. What looks like an edge lies just outside those
    // pixels; there the light falls within two pixels in steps that look even. That is hardly any of the disk's light.
    float past = 0.5 * ((away - SUN_RADIUS) / pixel_angle - 0.5);
    float left = max(0.0, 1.0 - past);
    vec3 edge = sky.rgb * (2.0 * left * left / max(1e-3, past));
    return sky.rgb + glow + max(disk * (inside * limb), min(edge, 2e-3 * disk));
}
