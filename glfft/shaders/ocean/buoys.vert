// Buoys that ride on the sea: one mesh for all, placed by what queries.comp has found under each.
// Inputs: of a point of the mesh: position and normal (m, y = 0 on its waterline), beside (for thin parts, from their middle
//         line to the point, m), surface (which material it is); of a buoy: place (x and z from the eye, m; yaw; which one it is),
//         and its answers of queries.comp.

uniform mat4 view_projection;
uniform vec3 eye;
uniform vec2 lean;          // how far the wind tilts a buoy, as a slope
uniform float pixel;        // rad

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

const float PLANET_RADIUS = 6360e3;
const float FOLLOWED = 0.85;        // of the slope of the water; its weight below keeps a buoy more upright than that
const float LEAST_PIXELS = 0.9;     // thinner parts are drawn so wide, and fainter

void main() {
    vec2 slope = -FOLLOWED * height_normal.yw / max(0.3, height_normal.z) - lean;
    vec3 up = normalize(vec3(-slope.x, 1.0, -slope.y));
    vec3 ahead = vec3(cos(place.z), 0.0, sin(place.z));
    ahead = normalize(ahead - up * dot(up, ahead));
    mat3 turn = mat3(ahead, up, cross(ahead, up));

    vec3 middle = vec3(place.x, height_normal.x - eye.y, place.y);
    middle.y -= dot(middle.xz, middle.xz) / (2.0 * PLANET_RADIUS);
    float thickness = 2.0 * length(beside);
    float wide = LEAST_PIXELS * pixel * length(middle);
    float wider = thickness > 0.0 ? max(1.0, wide / thickness) : 1.0;
    own = position + beside * (wider - 1.0);
    opacity = 1.0 / wider;
    from_eye = middle + turn * own;
    facing = turn * normal;
    material = surface;
    number = place.w;
    gl_Position = view_projection * vec4(from_eye, 1.0);
}
