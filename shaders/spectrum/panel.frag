// Draws a picture, whose values are display values.
//
// In:   picture, place from panel.vert
// Out:  colour
// Defines: TEXTURE_UNIT, of the picture

layout(binding = TEXTURE_UNIT) uniform sampler2D picture;

in vec2 place;
out vec4 colour;

void main() {
    colour = vec4(texture(picture, place).rgb, 1.0);
}
