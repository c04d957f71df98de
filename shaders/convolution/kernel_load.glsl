// A kernel at the first points of a transform, zeros elsewhere.
//
// Inputs:  kernel         the kernel in channel r, or r and g as (real, imaginary)
// Defines: KERNEL_SIZE    columns and rows of the kernel
//          FLIP           1: turned by half a turn and conjugated, for correlation
//          COMPLEX        1: channel g is read too
//          LAYERED        1: the kernels are layers of a texture array

#if LAYERED
uniform sampler2DArray kernel;
#define place_in_kernel(place, at) ivec3(place, at.z)
#else
uniform sampler2D kernel;
#define place_in_kernel(place, at) place
#endif

value load(ivec3 at) {
    if (any(greaterThanEqual(at.xy, KERNEL_SIZE))) return value(0.0);
#if FLIP
    ivec2 place = max(KERNEL_SIZE - 1 - at.xy, ivec2(0));
#else
    ivec2 place = at.xy;
#endif
    vec2 texel = texelFetch(kernel, place_in_kernel(place, at), 0).rg;
#if !COMPLEX
    texel.y = 0.0;
#elif FLIP
    texel.y = -texel.y;
#endif
    return value(texel);
}
