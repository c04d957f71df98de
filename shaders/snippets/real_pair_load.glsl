// Two real pictures as one complex one: first + i second.
//
// Inputs: first, second, the real values in channel r
// Defines: LAYERED  1: they are texture arrays, with a layer for each of the plan's
//          DEPTH    if defined, they are 3-D textures

#if PAIRED
#error real_pair_load works on storage of one complex number a texel
#endif

#if LAYERED && defined(DEPTH)
#error real_pair_load reads one volume at a time, since there are no arrays of 3-D textures
#endif

#ifdef DEPTH
uniform sampler3D first;
uniform sampler3D second;
#define place_in_pair(at) at
#elif LAYERED
uniform sampler2DArray first;
uniform sampler2DArray second;
#define place_in_pair(at) at
#else
uniform sampler2D first;
uniform sampler2D second;
#define place_in_pair(at) at.xy
#endif

value load(ivec3 at) {
    return value(texelFetch(first, place_in_pair(at), 0).r, texelFetch(second, place_in_pair(at), 0).r);
}
