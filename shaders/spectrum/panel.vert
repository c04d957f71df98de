// Places a rectangle in the window, for a picture whose row 0 is at the top.
//
// Out:  place, position in the picture, (0, 0) at the top left
// Uniforms: rectangle, left, top, width and height in pixels; window, width and height in pixels

uniform vec4 rectangle;
uniform vec2 window;

out vec2 place;

void main() {
    place = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 pixel = rectangle.xy + place * rectangle.zw;
    gl_Position = vec4(pixel / window * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}
