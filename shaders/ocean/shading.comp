// The light of the sea at each pixel that shows some of it. The samples of a pixel share one evaluation, which knows the slopes
// of all that they cover; only where an edge of a wave crosses the pixel, those before it and those behind it are lit apart.
// Defines: those of own_pixel.glsl, still_map.glsl and water_light.glsl; IMAGE_UNIT
// Inputs: to_world (from a point of the screen at depth 1 to a direction from the eye).
// Output: radiance relative to the sun outside the atmosphere; read where sky shares the pixel.

#include "ocean/lens.glsl"
#include "ocean/own_pixel.glsl"
#include "ocean/still_map.glsl"
#include "ocean/water_light.glsl"

layout(binding = IMAGE_UNIT, rgba16f) uniform image2D radiance;

uniform mat3 to_world;

// A wave's edge crosses a pixel whose samples show places farther apart than so many times what a pixel covers.
const float UNBROKEN = 1.0;
// Waves are shapes of the mesh if samples of theirs are so many sizes of a pixel apart, see mesh.comp; shorter ones are slopes alone.
const float SHAPES = 9.0;
// Steps seen from a pixel to the next are at most so many times what the slope lets expect; and how much of them is filtered.
const float A_JUMP = 8.0;
const float FILTERED = 2.0;
// A pixel covers at most so many times its size of a level sea.
const float MOST_COVERED = 250.0;

// The slope of the waves that are shapes of the mesh. Those of a third tile and further ones are shapes only close to the eye.
vec2 slope_of_shapes(vec2 point, float smallest) {
    vec2 slope = vec2(0.0);
    for (int layer = 0; layer < min(TILES, 2); ++layer) {
        float kept = layer == 0 ? 1.0 : clamp(2.0 - 12.0 * smallest / tile[layer], 0.0, 1.0);
        float level = max(0.0, log2(smallest / spacing[layer]));
        vec2 weights = kept * reading_weights(point, layer);
        slope += weights.x * textureLod(surface, first_reading(point, layer), level).zw
            + weights.y * rotated(textureLod(surface, second_reading(point, layer), level).zw);
    }
    return slope;
}

// By which angles a ray turns from a pixel to the next, to the right and up: sideways and upwards each, rad. The farther from the
// middle of the picture, the smaller they are: its plane is farther away there, and seen at a slant.
mat2 turn_of_pixel(vec3 ray) {
    vec3 view = normalize(ray);
    vec3 aside = normalize(vec3(-view.z, 0.0, view.x + 1e-6));
    vec3 upwards = cross(aside, view);
    vec2 step = 2.0 / (vec2(picture_size()) * length(ray));
    return mat2(
        step.x * vec2(dot(to_world[0], aside), dot(to_world[0], upwards)),
        step.y * vec2(dot(to_world[1], aside), dot(to_world[1], upwards)));
}

// How far the place on the still sea moves from a pixel to the next, to the right and up, m: from the slope there.
// Inputs: a place; the slope there; the direction to it; the turn of a pixel; 1 for a sea seen from above, -1 from below.
mat2 change_at(vec2 place, vec2 slope, vec3 view, mat2 turn, float above) {
    float away = length(vec3(place - eye.xz, eye.y));
    vec2 ahead = normalize(view.xz + vec2(1e-6, 0.0));
    vec2 aside = vec2(-ahead.y, ahead.x);
    float level = sqrt(max(0.0, 1.0 - view.y * view.y));
    // How far the picture of a place moves up for a step of 1 m ahead of it, and for one aside.
    float of_calm = above * (length(place - eye.xz) / PLANET_RADIUS - view.y);
    float by_ahead = of_calm + above * level * dot(slope, ahead);
    float by_aside = clamp(above * level * dot(slope, aside), -0.7, 0.7);
    // At crests, which turn away from the eye, a pixel covers no more than of a level sea.
    by_ahead = max(by_ahead, max(of_calm, 1.0 / MOST_COVERED));
    return away * mat2(aside - ahead * (by_aside / max(by_ahead, 0.1)), above / by_ahead * ahead) * turn;
}

// The place that a sample of a pixel shows; the pixel may lie outside the picture, where no place is known.
vec2 still_beside(ivec2 pixel, int index) {
    ivec2 inside = clamp(pixel, ivec2(0), picture_size() - 1);
    return pixel == inside ? still_at(inside, index) : vec2(NOT_WATER);
}

// How far a sample's place is from those of the same sample of the pixels on either side, m: the smaller step of the two, as behind
// the edge of a wave lies another. 0 where neither shows water. The outermost pixels have the step of those beside them.
vec2 smaller_step(int index, ivec2 pixel, ivec2 aside) {
    ivec2 middle = max(min(pixel, picture_size() - 1 - aside), aside);
    vec2 place = still_beside(middle, index);
    vec2 one = still_beside(middle - aside, index);
    vec2 other = still_beside(middle + aside, index);
    if (!is_water(place)) return vec2(0.0);
    vec2 back = place - one;
    vec2 on = other - place;
    if (!is_water(other) || is_water(one) && dot(back, back) < dot(on, on)) return is_water(one) ? back : vec2(0.0);
    return on;
}

// The step seen, if it is longer than the one expected; the jump to another wave is longer than any step.
vec2 longer_step(vec2 expected, vec2 seen) {
    float times = length(seen) / length(expected);
    return times > 1.0 ? seen * min(1.0, A_JUMP / times) : expected;
}

// The change from a pixel to the next where it is larger than `change`: the back of a wave that turns away from the eye passes by
// several times faster than a level sea. Its slope alone does not tell, as the mesh is coarser than a pixel. Where the change is
// less, neighbours are not to be believed: detail at a single pixel of an edge would be a dot.
mat2 change_seen(mat2 change, ivec2 pixel, int index) {
    vec2 right = smaller_step(index, pixel, ivec2(1, 0));
    vec2 up = smaller_step(index, pixel, ivec2(0, 1));
    return mat2(longer_step(change[0], FILTERED * right), longer_step(change[1], FILTERED * up));
}

void main() {
    ivec2 pixel = own_pixel();
    if (any(greaterThanEqual(pixel, picture_size()))) return;
    vec3 ray = to_world * vec3(on_screen(pixel), -1.0);
    vec3 view = normalize(ray);
    vec2 ahead = normalize(view.xz + vec2(1e-6, 0.0));
    int count = 0;
    int foremost = 0;
    int hindmost = 0;
    float nearest = NOT_WATER;
    float farthest = -NOT_WATER;
    for (int i = 0; i < SAMPLES; ++i) {
        vec2 place = still_at(pixel, i);
        if (is_water(place)) {
            ++count;
            float distance_ahead = dot(place - eye.xz, ahead);
            if (distance_ahead < nearest) foremost = i;
            if (distance_ahead > farthest) hindmost = i;
            nearest = min(nearest, distance_ahead);
            farthest = max(farthest, distance_ahead);
        }
    }
    if (count == 0) return;
    // The sums of the places before the middle and of those behind it, and how many there are. These are two variables and no array:
    // some drivers add to every element of a local array whose index varies.
    vec3 before = vec3(0.0);
    vec3 behind = vec3(0.0);
    for (int i = 0; i < SAMPLES; ++i) {
        vec2 place = still_at(pixel, i);
        vec3 counted = is_water(place) ? vec3(place, 1.0) : vec3(0.0);
        if (dot(place - eye.xz, ahead) > 0.5 * (nearest + farthest)) behind += counted;
        else before += counted;
    }

    float depth = lens_depth(on_screen(pixel));
    float above = depth > 0.0 ? -1.0 : 1.0;
    float pixel_angle = length(to_world[0]) * 2.0 / float(picture_size().x);
    vec2 here = before.xy / before.z;
    vec2 slope = slope_of_shapes(here, SHAPES * pixel_angle * length(vec3(here - eye.xz, eye.y)));
    mat2 turn = turn_of_pixel(ray);
    mat2 change = change_at(here, slope, view, turn, above);
    change = change_seen(change, pixel, foremost);
    bool unbroken = farthest - nearest <= UNBROKEN * (length(change[0]) + length(change[1]));
    vec3 side = unbroken ? before + behind : before;
    vec3 light = vec3(0.0);
#if BELOW
    in_shafts = sun_in_shafts(view, sun_direction, depth > -0.2 * near);
#endif
    for (int i = 0; i < (unbroken ? 1 : 2); ++i) {
        vec2 place = side.xy / side.z;
        mat2 of_calm = change_at(place, vec2(0.0), view, turn, above);
        // Behind an edge a level sea is near enough where the next wave does not turn away, and saves the readings of the slope.
        if (i == 1) change = change_seen(of_calm, pixel, hindmost);
        light += side.z / float(count) * water_radiance(place, change[0], change[1], footprint_of(of_calm[0], of_calm[1]).filtered, view, depth);
        side = behind;
    }
#if BELOW
    if (depth > 0.0) light = min(boost * light, vec3(60000.0));
    float share = share_under_water(depth, to_world[1], picture_size().y);
    if (depth <= 0.0 && share > 0.0) {
        vec3 sun = (1.0 - low_clouds) * sun_colour * max(0.0, sun_direction.y);
#if SAND
        vec3 in_water = light_under_water(
            eye, 0.0, view, 0.0, pixel_angle, sun + sky_irradiance, sun, sun_direction, in_shafts);
#else
        vec3 in_water = water_light(view, 0.0, sun + sky_irradiance, sun, sun_direction, in_shafts);
#endif
        light = mix(light, boost * in_water, share);
    }
#endif
    light *= through_waterline(depth);
    if (count < SAMPLES) light = mix(imageLoad(radiance, pixel).rgb, light, float(count) / float(SAMPLES));
    imageStore(radiance, pixel, vec4(light, 1.0));
}
