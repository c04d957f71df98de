// Store with the first element in the middle along both axes, as numpy.fft.fftshift, for odd lengths too.

void store(ivec3 at, value result) {
    write_target(ivec3((at.xy + ivec2(COLUMNS, ROWS) / 2) % ivec2(COLUMNS, ROWS), at.z), result);
}
