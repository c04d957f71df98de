// A transform of one point is the point itself: copy, times the normalisation.
//
// Defines: GROUP_WIDTH, GROUP_HEIGHT of a work group, in invocations; ROWS_EACH, texels an invocation copies, one below
//          the other and GROUP_HEIGHT apart; LINE_COUNT, rows of a layer; those of common/line_access.glsl, AXIS 1

layout(local_size_x = GROUP_WIDTH, local_size_y = GROUP_HEIGHT) in;

#include "common/line_access.glsl"

ivec3 place(int row) {
    int height = GROUP_HEIGHT * ROWS_EACH;
    int y = int(gl_WorkGroupID.y) * height + row * GROUP_HEIGHT + int(gl_LocalInvocationID.y);
    return ivec3(gl_GlobalInvocationID.x, y, gl_GlobalInvocationID.z);
}

bool in_picture(ivec3 at) {
    return at.x < COLUMNS && at.y < LINE_COUNT;
}

void main() {
    value v[ROWS_EACH];
    for (int row = 0; row < ROWS_EACH; ++row) {
        ivec3 at = place(row);
        v[row] = in_picture(at) ? load_point(at.x, at.y, at.z) : value(0.0);
    }
    for (int row = 0; row < ROWS_EACH; ++row) {
        ivec3 at = place(row);
        if (in_picture(at)) {
            store_point(at.x, at.y, at.z, v[row]);
        }
    }
}
