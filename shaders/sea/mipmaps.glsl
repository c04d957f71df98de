// Mipmaps of a block of texels, made by a work group. A thread holds the mean of 2 x 2 texels, and each coarser level is the
// means of 2 x 2 of the level before, through shared memory. Every level but the coarsest
// one made has an even side.
//
// Defines: SIDE, threads each way, a power of two, at least 2^(levels made - 1); the block has twice as many texels each way
//          MADE, texels each way of the finest level made, a multiple of 2^(levels made - 1)

layout(local_size_x = SIDE, local_size_y = SIDE) in;

shared vec4 finer_means[SIDE * SIDE];

// The texel of a level (1 is the finest one made) that this thread makes, and whether it makes one.
ivec3 coarse_texel(int level) {
    return ivec3(ivec2(gl_WorkGroupID.xy) * (SIDE >> (level - 1)) + ivec2(gl_LocalInvocationID.xy), gl_WorkGroupID.z);
}

// Without WHOLE, blocks at the edges reach beyond the texture.
const bool WHOLE = MADE % SIDE == 0;

bool makes_texel(int level) {
    return all(lessThan(ivec2(gl_LocalInvocationID.xy), ivec2(SIDE >> (level - 1))))
        && (WHOLE || all(lessThan(coarse_texel(level).xy, ivec2(MADE >> (level - 1)))));
}

// From the means of the level before to those of `level`. All threads of the group must call it.
vec4 coarser_mean(vec4 mean, int level) {
    ivec2 place = ivec2(gl_LocalInvocationID.xy);
    finer_means[place.y * SIDE + place.x] = mean;
    barrier();
    vec4 sum = vec4(0.0);
    if (makes_texel(level)) {
        int corner = 2 * place.y * SIDE + 2 * place.x;
        sum = finer_means[corner] + finer_means[corner + 1] + finer_means[corner + SIDE] + finer_means[corner + SIDE + 1];
    }
    barrier();
    return 0.25 * sum;
}
