// Each layer's spectrum times the layer of a texture array of channels (real, imaginary).

uniform sampler2DArray factor;

value product(ivec3 at, value spectrum) {
    return multiply(spectrum, texelFetch(factor, at, 0).xy);
}
