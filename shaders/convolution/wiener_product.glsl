// A spectrum divided by a kernel's where that is large against the noise (Wiener 1949).
//
// Inputs:  factor  the kernel's spectrum, of channels (real, imaginary)
//          noise   power of the noise, as a share of the signal's

uniform sampler2D factor;
uniform float noise;

value product(ivec3 at, value spectrum) {
    vec2 kernel = texelFetch(factor, at.xy, 0).xy;
    return multiply(spectrum, conjugate(kernel) / max(dot(kernel, kernel) + noise, 1e-37));
}
