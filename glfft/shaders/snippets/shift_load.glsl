// Load with the first element from the middle along both axes, as numpy.fft.ifftshift, for odd lengths too.

value load(ivec3 at) {
    return read_source(ivec3((at.xy + ivec2(COLUMNS, ROWS) / 2) % ivec2(COLUMNS, ROWS), at.z));
}
