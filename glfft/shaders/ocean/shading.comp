// The light of the sea at each pixel that shows some of it. The samples of a pixel share one evaluation, which knows the slopes
// of all that they cover; only where an edge of a wave crosses the pixel, each is lit by itself.
// Defines: those of own_pixel.glsl, still_map.glsl and water.glsl; IMAGE_UNIT
// Inputs: to_world (from a point of the screen at depth 1 to a direction from the eye).
// Output: radiance relative to the sun outside the atmosphere; read where sky shares the pixel.

#include "ocean/lens.glsl"
#include "ocean/own_pixel.glsl"
#include "ocean/still_map.glsl"
#include "ocean/water.glsl"

layout(binding = IMAGE_UNIT, rgba16f) uniform image2D radiance;

uniform mat3 to_world;

// How many times as far apart as a pixel's own size its samples may be on an unbroken surface.
const float UNBROKEN = 1.5;

// How far the place moves from a pixel to the next: to the neighbour on the same wave, which is the nearer one.
vec2 change_along(ivec2 step_to, ivec2 pixel, int index, vec2 here, vec2 otherwise) {
    vec2 nearest = vec2(NOT_WATER);
    for (int side = -1; side <= 1; side += 2) {
        ivec2 other = pixel + side * step_to;
        bool inside = all(greaterThanEqual(other, ivec2(0))) && all(lessThan(other, picture_size()));
        vec2 there = inside ? still_at(other, index) : vec2(NOT_WATER);
        vec2 change = float(side) * (there - here);
        if (is_water(there) && dot(change, change) < min(dot(nearest, nearest), 1e20)) nearest = change;
    }
    return is_water(nearest) ? nearest : otherwise;
}

void main() {
    ivec2 pixel = own_pixel();
    if (any(greaterThanEqual(pixel, picture_size()))) return;
    int count = 0;
    int first = -1;
    vec2 mean = vec2(0.0);
    for (int i = 0; i < SAMPLES; ++i) {
        vec2 place = still_at(pixel, i);
        if (is_water(place)) {
            first = first < 0 ? i : first;
            mean += place;
            ++count;
        }
    }
    if (count == 0) return;
    mean /= float(count);

    vec3 view = normalize(to_world * vec3(on_screen(pixel), -1.0));
    float depth = lens_depth(on_screen(pixel));
    vec2 here = still_at(pixel, first);
    // At the last pixel of a crest no neighbour may be on the same wave: then as on a level sea, seen at the same angle.
    float turned = length(to_world[0]) * 2.0 / float(picture_size().x);
    float away = length(vec3(here - eye.xz, eye.y));
    vec2 ahead = normalize(view.xz + vec2(1e-6, 0.0));
    // A pixel covers as much of the sea as of a wall across the view, or more; where the surface folds, neighbours may seem nearer.
    float least = 0.5 * turned * away;
    vec2 right = change_along(ivec2(1, 0), pixel, first, here, turned * away * vec2(-ahead.y, ahead.x));
    vec2 above = change_along(ivec2(0, 1), pixel, first, here, turned * away / max(0.05, abs(view.y)) * ahead);

    right *= max(1.0, least / max(1e-6, length(right)));
    above *= max(1.0, least / max(1e-6, length(above)));
    float apart = 0.0;
    for (int i = 0; i < SAMPLES; ++i) {
        vec2 place = still_at(pixel, i);
        if (is_water(place)) apart = max(apart, distance(place, mean));
    }
    vec3 light = vec3(0.0);
    bool unbroken = apart <= UNBROKEN * (length(right) + length(above));
    for (int i = 0; i < (unbroken ? 1 : SAMPLES); ++i) {
        vec2 place = unbroken ? mean : still_at(pixel, i);
        if (is_water(place)) light += water_radiance(place, right, above, view, depth) / (unbroken ? 1.0 : float(count));
    }
    light *= through_waterline(depth);
    if (count < SAMPLES) light = mix(imageLoad(radiance, pixel).rgb, light, float(count) / float(SAMPLES));
    imageStore(radiance, pixel, vec4(light, 1.0));
}
