// Store with the first element in the middle along all axes, as numpy.fft.fftshift, for odd lengths too.

#include "snippets/shifted.glsl"

void store(ivec3 at, value result) {
    write_target(glfft_shifted(at), result);
}
