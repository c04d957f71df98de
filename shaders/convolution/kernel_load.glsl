// A kernel at the first points of a transform, zeros elsewhere. With a middle other than (0, 0), what lies before the
// middle is at the last points.
//
// Inputs:  kernel         the kernel in channel r, or r and g as (real, imaginary)
// Defines: KERNEL_SIZE    columns and rows of the kernel
//          KERNEL_MIDDLE  its column and row at the transform's first point
//          FLIP           1: turned by half a turn and conjugated, for correlation
//          COMPLEX        1: channel g is read too
//          LAYERED        1: the kernels are layers of a texture array

#include "convolution/layers.glsl"

#if LAYERED
uniform sampler2DArray kernel;
#else
uniform sampler2D kernel;
#endif

value load(ivec3 at) {
    ivec2 from_first = at.xy + KERNEL_MIDDLE;
    from_first -= ivec2(COLUMNS, ROWS) * ivec2(greaterThanEqual(from_first, ivec2(COLUMNS, ROWS)));
    if (any(greaterThanEqual(from_first, KERNEL_SIZE))) return value(0.0);
#if FLIP
    ivec2 place = max(KERNEL_SIZE - 1 - from_first, ivec2(0));
#else
    ivec2 place = from_first;
#endif
    vec2 texel = texelFetch(kernel, in_layer(place, at.z), 0).rg;
#if !COMPLEX
    texel.y = 0.0;
#elif FLIP
    texel.y = -texel.y;
#endif
    return value(texel);
}
