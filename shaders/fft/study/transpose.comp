// Lines across turned into lines along, through tiles in shared memory: both ends are read and written in whole sectors.
//
// Defines:
//   TILE             points of a side of a tile; TILE x TILE invocations
//   LENGTH, LINES    of the lines, which are columns of the picture and rows of the target
//   SCALE
// Inputs, outputs: common/line_access.glsl

layout(local_size_x = TILE, local_size_y = TILE) in;

#include "common/line_access.glsl"

// One column more, so that a column of the tile spreads over the banks.
shared value tile[TILE][TILE + 1];

void main() {
    int x = int(gl_LocalInvocationID.x);
    int y = int(gl_LocalInvocationID.y);
    int line = int(gl_WorkGroupID.x) * TILE;
    int position = int(gl_WorkGroupID.y) * TILE;
    int layer = int(gl_WorkGroupID.z);

    if (position + y < LENGTH && line + x < LINES) {
        tile[y][x] = load_point(position + y, line + x, layer);
    }
    barrier();
    if (position + x < LENGTH && line + y < LINES) {
        write_target(ivec3(position + x, line + y, layer), tile[x][y]);
    }
}
