// The greatest value of each part of a picture, one part a work group.
//
// Inputs:  picture        channel r is searched; NaN and infinity are left out
// Outputs: parts          the value of each part, and its place row * columns + column as bits
// Defines: THREADS        invocations of the work group, a power of two
//          TEXTURE_UNIT   of the picture
//          PARTS_BINDING  of the buffer
//          PICTURE_SIZE   columns and rows

layout(local_size_x = THREADS) in;

layout(binding = TEXTURE_UNIT) uniform sampler2D picture;

layout(std430, binding = PARTS_BINDING) writeonly buffer Parts {
    vec2 parts[];
};

#include "convolution/best_of_group.glsl"

void main() {
    int step_to_next = int(gl_NumWorkGroups.x) * THREADS;
    float best = 0.0;
    int best_place = -1;
    for (int place = int(gl_GlobalInvocationID.x); place < PICTURE_SIZE.x * PICTURE_SIZE.y; place += step_to_next) {
        ivec2 at = ivec2(place % PICTURE_SIZE.x, place / PICTURE_SIZE.x);
        float found = texelFetch(picture, at, 0).r;
        bool finite = !isnan(found) && !isinf(found);
        if (finite && is_better(found, place, best, best_place)) {
            best = found;
            best_place = place;
        }
    }
    find_best_of_group(best, best_place);
    if (gl_LocalInvocationIndex == 0u) {
        parts[gl_WorkGroupID.x] = vec2(best_values[0], intBitsToFloat(best_places[0]));
    }
}
