// The real and the imaginary part to two pictures.
//
// Outputs: first, second, one channel each

#if PAIRED
#error real_pair_store works on storage of one complex number a texel
#endif

writeonly uniform image2D first;
writeonly uniform image2D second;

void store(ivec3 at, value result) {
    imageStore(first, at.xy, vec4(result.x, 0.0, 0.0, 0.0));
    imageStore(second, at.xy, vec4(result.y, 0.0, 0.0, 0.0));
}
