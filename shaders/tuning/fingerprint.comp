// Sums of the source's texels, each with a pseudo-random sign that depends on its position. Two pictures that differ have
// different sums: a difference d of one texel changes its sum by |d|, and those of several texels hardly ever cancel. A
// few sums are quick to read back.
//
// Each work group sums SUMMANDS texels.
//
// Defines: SLICES, layers, or of volumes the planes of all of them; SUMMANDS, texels a group adds up; SUMS_BINDING
// Generated: as in common/line_access.glsl; of these the source only.
// Outputs: sums[group]

const int INVOCATIONS = 64;

layout(local_size_x = 64) in;

#include "generated/storage.glsl"
#include "common/value.glsl"
#include "tuning/hash.glsl"

layout(std430, binding = SUMS_BINDING) writeonly buffer Sums { vec4 sums[]; };

shared vec4 partial_sums[INVOCATIONS];

void main() {
    uint invocation = gl_LocalInvocationID.x;
    uint first = gl_WorkGroupID.x * uint(SUMMANDS);
    vec4 sum = vec4(0.0);
    for (uint summand = invocation; summand < uint(SUMMANDS); summand += uint(INVOCATIONS)) {
        uint texel = first + summand;
        uint line = texel / uint(SOURCE_COLUMNS);
        uint slice = line / uint(SOURCE_ROWS);
        if (slice < uint(SLICES)) {
            ivec3 position = ivec3(texel % uint(SOURCE_COLUMNS), line % uint(SOURCE_ROWS), slice);
            vec4 v = channels_of(read_source(position));
            sum += (hash(texel) & 1u) == 0u ? v : -v;
        }
    }
    partial_sums[invocation] = sum;
    for (uint others = uint(INVOCATIONS) / 2u; others > 0u; others /= 2u) {
        barrier();
        if (invocation < others) {
            partial_sums[invocation] += partial_sums[invocation + others];
        }
    }
    if (invocation == 0u) {
        sums[gl_WorkGroupID.x] = partial_sums[0];
    }
}
