// Fills the target with numbers that look random, between -1 and 1: what a transform is measured on, since memory moves
// zeros in less time.
//
// Defines: ROWS, COLUMNS of a layer; SEED; GROUP, a work group's side.
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
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (at.x < COLUMNS && at.y < ROWS) {
        uint state = hash(uint(at.x) + hash(uint(at.y) + hash(uint(at.z) + uint(SEED))));
        value v;
        for (int part = 0; part < value(0.0).length(); ++part) {
            v[part] = noise(state);
        }
        write_target(at, v);
    }
}
