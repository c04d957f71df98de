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
    vec2 turn = is_imaginary(at.y, at.x) ? vec2(kept.sine, kept.cosine) : vec2(kept.cosine, -kept.sine);
    return turn * parts[part_of(kept, at.y, at.x)];
}
