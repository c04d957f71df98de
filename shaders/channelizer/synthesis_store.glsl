// The transforms of all times, one after the other: [times, ROWS].
//
// Defines: WAVES_BINDING

layout(std430, binding = WAVES_BINDING) writeonly restrict buffer Waves { vec2 waves[]; };

void store(ivec3 at, value result) {
    waves[at.x * ROWS + at.y] = result;
}
