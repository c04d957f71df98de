// The channel map as a dispatch of its own: what a transform over channels has stored goes where the map says.
//
// Defines: as of channelizer/filter_alone.comp, WAVES_BINDING being that of the transforms, and those of
//          channelizer/channel_map.glsl

layout(local_size_x = THREADS) in;

#include "common/value.glsl"
#include "channelizer/analysis_store.glsl"

layout(std430, binding = WAVES_BINDING) readonly restrict buffer Waves { vec2 waves[]; };

void main() {
    int element = (int(gl_WorkGroupID.y) * GROUPS_ACROSS + int(gl_WorkGroupID.x)) * THREADS + int(gl_LocalInvocationID.x);
    if (element < ROWS * COLUMNS) {
        store(ivec3(element % COLUMNS, element / COLUMNS, 0), waves[element]);
    }
}
