// Draws the sea in patches of a square grid, whose points mesh.comp has moved.
// Inputs: corner (0 to 1 within the patch), patch_place (x, z of the patch's first corner in metres; its side; its level).
// Defines: CELLS.

#include "ocean/patch.glsl"

uniform sampler2D moved;     // a row a patch: points less the eye, m
uniform mat4 view_projection;

in vec2 corner;
in vec4 patch_place;

out vec2 still;              // the point's place on the still sea, m

void main() {
    still = point_and_spacing(corner, patch_place).xy;
    gl_Position = view_projection * vec4(texelFetch(moved, ivec2(gl_VertexID, gl_InstanceID), 0).xyz, 1.0);
}
