// One part of each number of a channel comes from where the map says; channels that were not kept are silent.
//
// Defines: CHANNELS_BINDING, and those of channelizer/staggered_map.glsl

#include "channelizer/staggered_map.glsl"

layout(std430, binding = CHANNELS_BINDING) readonly restrict buffer Channels { float parts[]; };

value load(ivec3 at) {
    Channel kept = channel_map[at.y];
    if (kept.row < 0) {
        return vec2(0.0);
    }
    return turn_of(kept, at.y, at.x) * parts[part_of(kept, at.y, at.x)];
}
