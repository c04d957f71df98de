// Each spectrum, in all layers, times the one in a texture of channels (real, imaginary).

uniform sampler2D factor;

value product(ivec3 at, value spectrum) {
    return multiply(spectrum, texelFetch(factor, at.xy, 0).xy);
}
