// A picture as it is, in display values.
//
// In:   picture, place from panel.vert
// Out:  colour

layout(binding = 0) uniform sampler2D picture;

in vec2 place;
out vec4 colour;

void main() {
    colour = vec4(texture(picture, place).rgb, 1.0);
}
