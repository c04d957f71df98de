// How a buoy lies in the water, and what is common to it and to its image in the water.
// Inputs: lean (how far the wind tilts a buoy, as a slope); sway (by how much a buoy rocks of itself, as a slope);
//         rocked (how often it has done so, along x and z).

#include "ocean/planet.glsl"

uniform vec2 lean;
uniform float sway;
uniform vec2 rocked;

const float FOLLOWED = 0.85;        // of the slope of the water; its weight below keeps a buoy more upright than that
const vec3 RED = vec3(0.50, 0.022, 0.016);
const vec3 GREEN = vec3(0.008, 0.175, 0.075);

// From the buoy's own axes, y along its mast, to the world's. `normal` is that of the water, `yaw` in radians.
mat3 buoy_axes(vec3 normal, float yaw, float number) {
    vec2 slope = -FOLLOWED * normal.xz / max(0.3, normal.y) - lean;
    // No two buoys rock together.
    slope += sway * sin(6.2831853 * (rocked + number * vec2(0.37, 0.61)));
    vec3 up = normalize(vec3(-slope.x, 1.0, -slope.y));
    vec3 ahead = vec3(cos(yaw), 0.0, sin(yaw));
    ahead = normalize(ahead - up * dot(up, ahead));
    return mat3(ahead, up, cross(ahead, up));
}

// The middle of its waterline from the eye, m; `level` is x and z from the eye, `height` that of the water.
vec3 buoy_middle(vec2 level, float height, float eye_height) {
    return vec3(level.x, height - eye_height - dot(level, level) / (2.0 * PLANET_RADIUS), level.y);
}

vec3 paint_of(float number) {
    return mod(number, 2.0) < 0.5 ? RED : GREEN;
}
