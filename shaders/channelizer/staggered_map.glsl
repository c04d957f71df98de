// Which channels of a staggered bank are kept, and where: a C-ordered array [channels kept, COLUMNS / 2] of complex
// numbers, each of which has a part of two columns (of glfft/channelizer/filters.py, z_k[m]).
//
// Defines: COLUMNS  transforms of a block, an even number
//          MAP_BINDING

// A channel: its row in the array, -1 if it is not kept; and exp(-pi i k (L - 1) / M).
struct Channel {
    int row;
    float cosine;
    float sine;
};

layout(std430, binding = MAP_BINDING) readonly restrict buffer Map { Channel channel_map[]; };

bool is_imaginary(int channel, int column) {
    return ((channel + column) & 1) == 1;
}

// The float of the array that a column has of a channel that is kept.
int part_of(Channel kept, int channel, int column) {
    return kept.row * COLUMNS + (column & ~1) + int(is_imaginary(channel, column));
}

// The complex number, of magnitude 1, that is loaded that float's times; of what is stored, the float is the part along it.
vec2 turn_of(Channel kept, int channel, int column) {
    return is_imaginary(channel, column) ? vec2(kept.sine, kept.cosine) : vec2(kept.cosine, -kept.sine);
}
