// A region of the result to a picture of its size.
//
// Outputs: target         an image of any format of floats
// Defines: RESULT_FIRST   column and row of the result at the region's first texel
//          RESULT_SIZE    columns and rows of the region
//          CHANNELS       1, 2, or 4 of two complex numbers
//          LAYERED        1: the target is a texture array, with a layer for each of the plan's

#if LAYERED
writeonly uniform image2DArray target;
#define place_in_target(at) ivec3(at.xy - RESULT_FIRST, at.z)
#else
writeonly uniform image2D target;
#define place_in_target(at) (at.xy - RESULT_FIRST)
#endif

void store(ivec3 at, value result) {
    if (any(lessThan(at.xy, RESULT_FIRST)) || any(greaterThanEqual(at.xy, RESULT_FIRST + RESULT_SIZE))) return;
#if CHANNELS == 1
    vec4 texel = vec4(result.x, 0.0, 0.0, 1.0);
#elif CHANNELS == 2
    vec4 texel = vec4(result.xy, 0.0, 1.0);
#else
    vec4 texel = vec4(result);
#endif
    imageStore(target, place_in_target(at), texel);
}
