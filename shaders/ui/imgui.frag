// Colours the triangles of Dear ImGui: vertex colour times the atlas, where glyphs are alpha and plain fills a white texel.
// Inputs: texcoord (0 to 1), colour (straight alpha). Output: straight alpha, for SRC_ALPHA blending.
// Uniforms: atlas (rgba8). No defines.

in vec2 texcoord;
in vec4 colour;

uniform sampler2D atlas;

out vec4 fragment;

void main() {
    fragment = colour * texture(atlas, texcoord);
}
