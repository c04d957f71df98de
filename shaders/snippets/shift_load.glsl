// Load with the first element from the middle along all axes, as numpy.fft.ifftshift, for odd lengths too.

#include "snippets/shifted.glsl"

value load(ivec3 at) {
    return read_source(glfft_shifted(at));
}
