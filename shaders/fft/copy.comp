// A transform of one point is the point itself: copy, times the normalisation.
//
// Defines: those of common/line_access.glsl; WIDTH, HEIGHT of the picture in texels; GROUP, a work group's side.

layout(local_size_x = GROUP, local_size_y = GROUP) in;

#include "common/line_access.glsl"

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (at.x < WIDTH && at.y < HEIGHT) {
        store(at.x, at.y, load(at.x, at.y));
    }
}
