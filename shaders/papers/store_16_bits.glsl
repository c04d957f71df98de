// Spectra of two half floats in a word, at the binding SPECTRA_BINDING.

layout(std430, binding = SPECTRA_BINDING) writeonly buffer Spectra {
    uint spectra[];
};

void store(ivec3 at, value result) {
    spectra[at.y * COLUMNS + at.x] = packHalf2x16(result);
}
