// The real and the imaginary part to two pictures.
//
// Outputs: real, imaginary, one channel each

#if PAIRED
#error real_pair_store works on storage of one complex number a texel
#endif

writeonly uniform image2D real;
writeonly uniform image2D imaginary;

void store(ivec3 at, value result) {
    imageStore(real, at.xy, vec4(result.x, 0.0, 0.0, 0.0));
    imageStore(imaginary, at.xy, vec4(result.y, 0.0, 0.0, 0.0));
}
