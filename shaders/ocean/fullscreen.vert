// One triangle over the whole viewport. Draw three vertices, without a vertex buffer.
// Output: screen, (-1, -1) at the lower left corner to (+1, +1) at the upper right.

out vec2 screen;

void main() {
    screen = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(screen, 1.0, 1.0);
}
