// Each spectrum, in all layers, times the one in a texture of channels (real, imaginary).

#ifdef DEPTH
uniform sampler3D factor;
#define place_in_factor(at) ivec3(at.xy, at.z % DEPTH)
#else
uniform sampler2D factor;
#define place_in_factor(at) at.xy
#endif

value product(ivec3 at, value spectrum) {
    return multiply(spectrum, texelFetch(factor, place_in_factor(at), 0).xy);
}
