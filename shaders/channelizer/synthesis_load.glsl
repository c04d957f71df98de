// Channels come from where the map says; those that were not kept are silent.

#include "channelizer/channel_map.glsl"

layout(std430, binding = CHANNELS_BINDING) readonly restrict buffer Channels { vec2 channels[]; };

value load(ivec3 at) {
    int element = element_of(at.y, at.x);
    return element < 0 ? vec2(0.0) : channels[element];
}
