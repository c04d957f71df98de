// Buoys that ride on the sea: one mesh for all, placed by what queries.comp has found under each.
// Inputs: of a point of the mesh: position and normal (m, y = 0 on its waterline), beside (for thin parts, from their middle
//         line to the point, m), surface (which material it is); of a buoy: place (x and z from the eye, m; yaw; which one it is),
//         and height_normal, of its answer of queries.comp.

#include "ocean/buoys.glsl"

uniform mat4 view_projection;
uniform vec3 eye;
uniform float pixel;        // rad
uniform vec3 sun_direction;

in vec3 position;
in vec3 normal;
in vec3 beside;
in float surface;
in vec4 place;
in vec4 height_normal;

out vec3 from_eye;          // m
out vec3 facing;
out vec3 own;               // the point on the buoy itself, m
flat out float material;
flat out float number;
out float opacity;
flat out vec3 own_sun;      // towards the sun, in the buoy's own axes

const float LEAST_PIXELS = 0.9;     // thinner parts are drawn so wide, and fainter

void main() {
    mat3 axes = buoy_axes(height_normal.yzw, place.z, place.w);
    vec3 middle = buoy_middle(place.xy, height_normal.x, eye.y);
    float thickness = 2.0 * length(beside);
    float wide = LEAST_PIXELS * pixel * length(middle);
    float wider = thickness > 0.0 ? max(1.0, wide / thickness) : 1.0;
    own = position + beside * (wider - 1.0);
    opacity = 1.0 / wider;
    from_eye = middle + axes * own;
    facing = axes * normal;
    own_sun = transpose(axes) * sun_direction;
    material = surface;
    number = place.w;
    gl_Position = view_projection * vec4(from_eye, 1.0);
}
