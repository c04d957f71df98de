// Which place of the still sea a sample of the picture shows; the light there is shading.comp's work.
// Output: x and z, m.

in vec2 still;
out vec2 place;

void main() {
    place = still;
}
