// Covers the viewport with a picture: a strip of two triangles made from the vertex number alone.
// No inputs. Output: texcoord (0 to 1, from the lower left). No uniforms, no defines.

out vec2 texcoord;

void main() {
    texcoord = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(2.0 * texcoord - 1.0, 0.0, 1.0);
}
