// The part of the picture where the water may mirror a buoy or foam about it: a rectangle below each.
// Inputs: of a buoy: place and height_normal, as for buoys.vert.

#include "ocean/buoys.glsl"

uniform mat4 view_projection;
uniform vec3 eye;

in vec4 place;
in vec4 height_normal;

out vec3 middle;            // of the buoy's waterline, from the eye, m
out mat3 axes;              // of the buoy
flat out float number;

// How far the rectangle reaches from there, m.
const float ASIDE = 3.2;
const float ABOVE = 1.2;
const float BELOW = 7.5;

void main() {
    middle = buoy_middle(place.xy, height_normal.x, eye.y);
    axes = buoy_axes(height_normal.yzw, place.z, place.w);
    number = place.w;
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    // Straight below the eye, any level direction is aside.
    bool below = dot(middle.xz, middle.xz) < 1e-6;
    vec3 aside = below ? vec3(0.0, 0.0, 1.0) : normalize(vec3(-middle.z, 0.0, middle.x));
    // Upright as seen from the eye, also from high above.
    vec3 upwards = normalize(cross(aside, middle));
    vec3 at = middle + aside * ((2.0 * corner.x - 1.0) * ASIDE) + upwards * mix(-BELOW, ABOVE, corner.y);
    gl_Position = view_projection * vec4(at, 1.0);
    gl_Position.z = 0.0;
}
