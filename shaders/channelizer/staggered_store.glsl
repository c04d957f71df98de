// One part of each number of a channel goes where the map says.
//
// Defines: CHANNELS_BINDING, and those of channelizer/staggered_map.glsl

#include "channelizer/staggered_map.glsl"

layout(std430, binding = CHANNELS_BINDING) writeonly restrict buffer Channels { float parts[]; };

void store(ivec3 at, value result) {
    Channel kept = channel_map[at.y];
    if (kept.row >= 0) {
        parts[part_of(kept, at.y, at.x)] = dot(turn_of(kept, at.y, at.x), result);
    }
}
