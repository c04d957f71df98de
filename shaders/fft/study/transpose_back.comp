// Lines along turned back into lines across, as fft/study/transpose.comp turns them along. It is a file of its own, because a plan
// looks in a shader's text for calls that read its source or write its target.
//
// Defines, outputs: fft/study/transpose.comp; LENGTH, LINES of the lines, which are rows of the source and columns of the picture

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

    if (position + x < LENGTH && line + y < LINES) {
        tile[y][x] = read_source(ivec3(position + x, line + y, layer));
    }
    barrier();
    if (position + y < LENGTH && line + x < LINES) {
        store_point(position + y, line + x, layer, tile[x][y]);
    }
}
