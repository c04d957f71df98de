// The polyphase filter as a dispatch of its own: what a transform over channels would load goes into a buffer.
//
// Defines: THREADS          of a work group
//          GROUPS_ACROSS    work groups in x; others follow in y
//          ROWS, COLUMNS    channels, and times of a block
//          WAVES_BINDING    of the buffer, [channels, times]
//          and those of channelizer/analysis_load.glsl

layout(local_size_x = THREADS) in;

#include "common/value.glsl"
#include "channelizer/analysis_load.glsl"

layout(std430, binding = WAVES_BINDING) writeonly restrict buffer Waves { vec2 waves[]; };

void main() {
    int element = (int(gl_WorkGroupID.y) * GROUPS_ACROSS + int(gl_WorkGroupID.x)) * THREADS + int(gl_LocalInvocationID.x);
    if (element < ROWS * COLUMNS) {
        waves[element] = load(ivec3(element % COLUMNS, element / COLUMNS, 0));
    }
}
