// Two real pictures as one complex one: first + i second.
//
// Inputs: first, second, the real values in channel r

#if PAIRED
#error real_pair_load works on storage of one complex number a texel
#endif

uniform sampler2D first;
uniform sampler2D second;

value load(ivec3 at) {
    return value(texelFetch(first, at.xy, 0).r, texelFetch(second, at.xy, 0).r);
}
