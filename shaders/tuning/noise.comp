// Fills the target with pseudo-random numbers between -1 and 1. Transforms are measured on these, as GPUs move zeros
// faster.
//
// Defines: SLICES, layers, or of volumes the planes of all of them; SEED; GROUP, a work group's side.
// Generated: as in common/line_access.glsl; of these the target only.

layout(local_size_x = GROUP, local_size_y = GROUP) in;

#include "generated/storage.glsl"
#include "tuning/hash.glsl"

float noise(inout uint state) {
    state = hash(state);
    // 24 bits fit a float exactly.
    return float(state >> 8) * (2.0 / 16777216.0) - 1.0;
}

void main() {
    // There may be fewer work groups than tiles.
    ivec3 first = ivec3(gl_GlobalInvocationID);
    ivec3 further = ivec3(gl_NumWorkGroups) * ivec3(GROUP, GROUP, 1);
    for (int slice = first.z; slice < SLICES; slice += further.z) {
        for (int row = first.y; row < TARGET_ROWS; row += further.y) {
            for (int column = first.x; column < TARGET_COLUMNS; column += further.x) {
                uint state = hash(uint(column) + hash(uint(row) + hash(uint(slice) + uint(SEED))));
                value v;
                for (int component = 0; component < value(0.0).length(); ++component) {
                    v[component] = noise(state);
                }
                write_target(ivec3(column, row, slice), v);
            }
        }
    }
}
