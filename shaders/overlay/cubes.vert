// Places one of many spinning cubes of the overlay's example scene.
// Inputs: in_position, in_normal (unit cube, object space); per cube in_centre (scene units), in_spin (axis, angle in
// radians), in_colour (linear). Outputs: normal, place (world space), tint. Uniforms: world_to_clip, half_edge. No defines.

in vec3 in_position;
in vec3 in_normal;
in vec3 in_centre;
in vec4 in_spin;
in vec3 in_colour;

uniform mat4 world_to_clip;
uniform float half_edge;

out vec3 normal;
out vec3 place;
out vec3 tint;

// Rodrigues' rotation of v about a unit axis.
vec3 rotated(vec3 v, vec3 axis, float angle) {
    return mix(axis * dot(axis, v), v, cos(angle)) + cross(axis, v) * sin(angle);
}

void main() {
    normal = rotated(in_normal, in_spin.xyz, in_spin.w);
    place = in_centre + half_edge * rotated(in_position, in_spin.xyz, in_spin.w);
    tint = in_colour;
    gl_Position = world_to_clip * vec4(place, 1.0);
}
