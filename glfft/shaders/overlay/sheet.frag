// Shows a picture texel for pixel.
// Input: texcoord (0 to 1). Output: premultiplied alpha, for blending with ONE, ONE_MINUS_SRC_ALPHA.
// Uniforms: sheet (rgba8, premultiplied alpha). No defines.

in vec2 texcoord;

uniform sampler2D sheet;

out vec4 fragment;

void main() {
    fragment = texture(sheet, texcoord);
}
