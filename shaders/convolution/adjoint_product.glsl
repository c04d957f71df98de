// A spectrum times a kernel's conjugate, divided by the kernel's sum.
//
// Inputs:  factor  the kernel's spectrum, of channels (real, imaginary)

uniform sampler2D factor;

value product(ivec3 at, value spectrum) {
    float sum = texelFetch(factor, ivec2(0), 0).x;
    return multiply(spectrum, conjugate(texelFetch(factor, at.xy, 0).xy) / max(sum, 1e-37));
}
