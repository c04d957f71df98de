// Channels go where the map says.

#include "channelizer/channel_map.glsl"

layout(std430, binding = CHANNELS_BINDING) writeonly restrict buffer Channels { vec2 channels[]; };

void store(ivec3 at, value result) {
    int element = element_of(at.y, at.x);
    if (element >= 0) {
        channels[element] = result;
    }
}
