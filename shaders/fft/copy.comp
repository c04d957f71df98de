// A transform of one point is the point itself: copy, times the normalisation.
//
// Defines: SCALE; ROWS, COLUMNS of a layer; GROUP_WIDTH, GROUP_HEIGHT of a work group.
// Generated: as in common/line_access.glsl.

layout(local_size_x = GROUP_WIDTH, local_size_y = GROUP_HEIGHT) in;

#include "generated/storage.glsl"
#include "generated/load.glsl"
#include "generated/store.glsl"

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (at.x < COLUMNS && at.y < ROWS) {
        store(at, load(at) * float(SCALE));
    }
}
