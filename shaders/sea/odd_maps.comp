// Makes mipmaps of a texture from a level of any side: one in a dispatch, or up to five in a work group a layer.
//
// The next level of a side n has floor(n / 2) texels, which share the picture evenly: of an odd side each lies over parts of
// three texels, and is their mean by area. So the mean of all texels stays what it is.
//
// Defines: FROM, the level read; FINE, its side; LEVELS, how many are made; SIDE, threads each way, of which a single work
//          group has one for each texel of the finest level made if LEVELS > 1; TEXTURE_UNIT, IMAGE_UNIT_0 and so on
// Inputs:  fine
// Outputs: level1 .. level5   levels FROM + 1 to FROM + LEVELS

layout(local_size_x = SIDE, local_size_y = SIDE) in;

layout(binding = TEXTURE_UNIT) uniform sampler2DArray fine;
layout(binding = IMAGE_UNIT_0) writeonly uniform image2DArray level1;
#if LEVELS > 1
layout(binding = IMAGE_UNIT_1) writeonly uniform image2DArray level2;
shared vec4 finer_means[SIDE * SIDE];
#endif
#if LEVELS > 2
layout(binding = IMAGE_UNIT_2) writeonly uniform image2DArray level3;
#endif
#if LEVELS > 3
layout(binding = IMAGE_UNIT_3) writeonly uniform image2DArray level4;
#endif
#if LEVELS > 4
layout(binding = IMAGE_UNIT_4) writeonly uniform image2DArray level5;
#endif

// The shares of texels 2 i, 2 i + 1 and 2 i + 2 of a side of n in texel i of the next level.
vec3 shares(int i, int n) {
    return n % 2 == 0 ? vec3(0.5, 0.5, 0.0) : vec3(n / 2 - i, n / 2, i + 1) / float(n);
}

// Whether this thread makes one of its texels.
bool makes_texel(int level) {
    return all(lessThan(ivec2(gl_GlobalInvocationID.xy), ivec2(FINE >> level)));
}

vec4 mean_of_level_read(ivec3 texel) {
    vec3 across = shares(texel.x, FINE);
    vec3 down = shares(texel.y, FINE);
    vec4 mean = vec4(0.0);
    for (int i = 0; i < 9; ++i) {
        ivec2 place = min(2 * texel.xy + ivec2(i % 3, i / 3), FINE - 1);
        mean += across[i % 3] * down[i / 3] * texelFetch(fine, ivec3(place, texel.z), FROM);
    }
    return mean;
}

#if LEVELS > 1
// From the means of the level before to those of `level`. All threads of the group must call it.
vec4 coarser_mean(vec4 mean, int level) {
    ivec2 texel = ivec2(gl_LocalInvocationID.xy);
    int side = FINE >> (level - 1);
    finer_means[texel.y * SIDE + texel.x] = mean;
    barrier();
    vec4 sum = vec4(0.0);
    if (makes_texel(level)) {
        vec3 across = shares(texel.x, side);
        vec3 down = shares(texel.y, side);
        for (int i = 0; i < 9; ++i) {
            ivec2 place = min(2 * texel + ivec2(i % 3, i / 3), side - 1);
            sum += across[i % 3] * down[i / 3] * finer_means[place.y * SIDE + place.x];
        }
    }
    barrier();
    return sum;
}
#endif

#define MAKE(image, level)                               \
    mean = coarser_mean(mean, level);                    \
    if (makes_texel(level)) imageStore(image, texel, mean);

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    vec4 mean = vec4(0.0);
    if (makes_texel(1)) {
        mean = mean_of_level_read(texel);
        imageStore(level1, texel, mean);
    }
#if LEVELS > 1
    MAKE(level2, 2)
#endif
#if LEVELS > 2
    MAKE(level3, 3)
#endif
#if LEVELS > 3
    MAKE(level4, 4)
#endif
#if LEVELS > 4
    MAKE(level5, 5)
#endif
}
