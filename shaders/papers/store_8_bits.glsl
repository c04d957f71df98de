// Spectra of two bytes, at the image unit SPECTRA_IMAGE; 1 becomes ONE. Two numbers share a word of the buffer with those of
// another invocation: as an image, it has texels of 16 bits.

layout(rg8i, binding = SPECTRA_IMAGE) writeonly uniform iimageBuffer spectra;

void store(ivec3 at, value result) {
    imageStore(spectra, at.y * COLUMNS + at.x, ivec4(clamp(round(result * ONE), -128.0, 127.0), 0, 0));
}
