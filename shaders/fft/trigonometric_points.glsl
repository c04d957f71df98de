// One invocation for each point of the complex lines of a cosine or sine transform.
//
// Defines: INVOCATIONS of a work group; GROUPS_ACROSS, work groups in x, of which there may be several rows in z
//          LINE_COUNT complex lines in a layer; those of fft/trigonometric_lines.glsl, and DIRECTION -1

layout(local_size_x = INVOCATIONS) in;

#include "common/integers.glsl"
#include "fft/trigonometric_lines.glsl"

struct Point {
    int position;
    int line;
    int layer;
    bool exists;
};

// Neighbours are neighbours in memory.
Point find_point() {
    int group = int(gl_WorkGroupID.x) + int(gl_WorkGroupID.z) * GROUPS_ACROSS;
    int index = group * INVOCATIONS + int(gl_LocalInvocationID.x);
    Point point;
    point.position = AXIS == 1 ? index % TRANSFORM_POINTS : index / LINE_COUNT;
    point.line = AXIS == 1 ? index / TRANSFORM_POINTS : index % LINE_COUNT;
    point.layer = int(gl_WorkGroupID.y);
    point.exists = index < TRANSFORM_POINTS * LINE_COUNT;
    return point;
}
