// A finished picture at another size.

uniform sampler2D picture;

in vec2 screen;
out vec4 colour;

void main() {
    colour = textureLod(picture, 0.5 + 0.5 * screen, 0.0);
}
