// The real and the imaginary part to two pictures.
//
// Outputs: real, imaginary, one channel each
// Defines: LAYERED  1: they are texture arrays, with a layer for each of the plan's
//          DEPTH    if defined, they are 3-D textures

#if PAIRED
#error real_pair_store works on storage of one complex number a texel
#endif

#if LAYERED && defined(DEPTH)
#error real_pair_store writes one volume at a time, since there are no arrays of 3-D textures
#endif

#ifdef DEPTH
writeonly uniform image3D real;
writeonly uniform image3D imaginary;
#define place_in_parts(at) at
#elif LAYERED
writeonly uniform image2DArray real;
writeonly uniform image2DArray imaginary;
#define place_in_parts(at) at
#else
writeonly uniform image2D real;
writeonly uniform image2D imaginary;
#define place_in_parts(at) at.xy
#endif

void store(ivec3 at, value result) {
    imageStore(real, place_in_parts(at), vec4(result.x, 0.0, 0.0, 0.0));
    imageStore(imaginary, place_in_parts(at), vec4(result.y, 0.0, 0.0, 0.0));
}
