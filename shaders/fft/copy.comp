// A transform of one point is the point itself: copy, times the normalisation.
//
// Defines: GROUP_WIDTH, GROUP_HEIGHT of a work group; those of common/line_access.glsl, with AXIS 1.

layout(local_size_x = GROUP_WIDTH, local_size_y = GROUP_HEIGHT) in;

#include "common/line_access.glsl"

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (at.x < COLUMNS && at.y < ROWS) {
        store_point(at.x, at.y, at.z, load_point(at.x, at.y, at.z));
    }
}
