// Sums of the source's values, each with a sign that depends on where it stands: two pictures that differ have sums that
// differ by about as much, and reading a few sums back takes no time.
//
// Each work group adds up a share of the texels. A difference d comes out of random signs as |d|, on average.
//
// Defines: ROWS, COLUMNS, LAYERS; SUMMANDS, texels a group adds up; SUMS_BINDING
// Generated: as in common/line_access.glsl; of these the source only.
// Outputs: sums[group]

const int INVOCATIONS = 64;

layout(local_size_x = 64) in;

#include "generated/storage.glsl"
#include "tuning/hash.glsl"

layout(std430, binding = SUMS_BINDING) writeonly buffer Sums { vec4 sums[]; };

shared vec4 part_sums[INVOCATIONS];

void main() {
    uint invocation = gl_LocalInvocationID.x;
    uint first = gl_WorkGroupID.x * uint(SUMMANDS);
    vec4 sum = vec4(0.0);
    for (uint summand = invocation; summand < uint(SUMMANDS); summand += uint(INVOCATIONS)) {
        uint texel = first + summand;
        uint line = texel / uint(COLUMNS);
        uint layer = line / uint(ROWS);
        if (layer < uint(LAYERS)) {
            ivec3 at = ivec3(texel % uint(COLUMNS), line % uint(ROWS), layer);
            vec4 v = channels_of(read_source(at));
            sum += (hash(texel) & 1u) == 0u ? v : -v;
        }
    }
    part_sums[invocation] = sum;
    for (uint others = uint(INVOCATIONS) / 2u; others > 0u; others /= 2u) {
        barrier();
        if (invocation < others) {
            part_sums[invocation] += part_sums[invocation + others];
        }
    }
    if (invocation == 0u) {
        sums[gl_WorkGroupID.x] = part_sums[0];
    }
}
