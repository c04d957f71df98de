// A spectrum divided by a kernel's where that is large against the noise (Wiener 1949).
//
// Inputs:  noise   power of the noise, as a share of the signal's

#include "convolution/kernel_spectrum.glsl"

uniform float noise;

value product(ivec3 at, value spectrum) {
    vec2 kernel = glfft_kernel_spectrum(at);
    return multiply(spectrum, conjugate(kernel) / max(dot(kernel, kernel) + noise, 1e-37));
}
