// A spectrum times a kernel's conjugate, divided by the kernel's sum.

#include "convolution/kernel_spectrum.glsl"

value product(ivec3 at, value spectrum) {
    float sum = glfft_kernel_spectrum(ivec3(0, 0, at.z)).x;
    return multiply(spectrum, conjugate(glfft_kernel_spectrum(at)) / max(sum, 1e-37));
}
