// Which channels are kept, and where: a C-ordered array [channels kept, times].
//
// Defines: COLUMNS  times of a block
//          CHANNELS_BINDING, MAP_BINDING

layout(std430, binding = MAP_BINDING) readonly restrict buffer Map { int row_of_channel[]; };

// The element of a channel at a time, -1 where the channel is not kept.
int element_of(int channel, int time) {
    int row = row_of_channel[channel];
    return row < 0 ? -1 : row * COLUMNS + time;
}
