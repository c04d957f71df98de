// Draws the sea in patches of a square grid, whose points mesh.comp has moved.
// Inputs: corner (0 to 1 within the patch), patch_place (x, z of the patch's first corner in metres; its side; its level).
// Defines: CELLS; SLIVERS, 1 to give still.frag what it needs on llvmpipe.

#include "ocean/patch.glsl"

uniform sampler2D moved;     // a row a patch: points less the eye, m
uniform mat4 view_projection;

in vec2 corner;
in vec4 patch_place;

sample out vec2 still;       // the point's place on the still sea, m
#if SLIVERS
sample out float unit;       // 1, which no compiler can know
flat out vec3 bounds;        // the place of one of the triangle's corners, and how far all of it lies around that at most, m
#endif

void main() {
    vec3 spaced = point_and_spacing(corner, patch_place);
    still = spaced.xy;
#if SLIVERS
    unit = patch_place.z > 0.0 ? 1.0 : 0.0;
    bounds = vec3(still, 2.0 * patch_place.z / float(CELLS));
#endif
    gl_Position = view_projection * vec4(texelFetch(moved, ivec2(gl_VertexID, gl_InstanceID), 0).xyz, 1.0);
}
