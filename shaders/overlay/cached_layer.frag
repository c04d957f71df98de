// Shows a picture texel for pixel.
// Input: texcoord (0 to 1). Output: premultiplied alpha, for blending with ONE, ONE_MINUS_SRC_ALPHA.
// Uniforms: picture (rgba8, premultiplied alpha). No defines.

in vec2 texcoord;

uniform sampler2D picture;

out vec4 fragment;

void main() {
    fragment = texture(picture, texcoord);
}
