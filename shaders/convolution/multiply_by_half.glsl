// Each spectrum times the spectrum of a real kernel, of which the half that is not redundant is kept.
//
// Inputs:  factor     channels (real, imaginary) of columns 0 to half of all
// Defines: TRANSFORM  columns and rows of a whole spectrum
//          OWN_KERNELS 1: each layer has a kernel of its own, in a layer of a texture array

#if OWN_KERNELS
uniform sampler2DArray factor;
#else
uniform sampler2D factor;
#endif

value product(ivec3 at, value spectrum) {
    bool kept = at.x <= TRANSFORM.x / 2;
    ivec2 mirrored = ivec2(TRANSFORM.x - at.x, at.y == 0 ? 0 : TRANSFORM.y - at.y);
    // The maximum hides the differences from NVIDIA's compiler, see storage/texture.glsl.
    ivec2 place = max(kept ? at.xy : mirrored, 0);
#if OWN_KERNELS
    vec2 number = texelFetch(factor, ivec3(place, at.z), 0).xy;
#else
    vec2 number = texelFetch(factor, place, 0).xy;
#endif
    return multiply(spectrum, vec2(number.x, kept ? number.y : -number.y));
}
