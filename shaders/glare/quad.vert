// A box around one stroke on a lens, an instance each: four vertices of a triangle strip.
// Inputs:   ends (x, y, x, y), widths (half width at both ends), kept_back (share of the light); uniform scale, texels a
//           diameter of the aperture, and side, texels of the picture.
// Outputs:  what is above but the widths of the box.

in vec4 ends;
in vec2 widths;
in float kept_back;

uniform float scale;
uniform float side;

flat out vec4 stroke;
flat out vec2 half_widths;
flat out float opacity;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    float around = max(widths.x, widths.y) + 1.5 / scale;
    vec2 place = mix(min(ends.xy, ends.zw) - around, max(ends.xy, ends.zw) + around, corner);
    stroke = ends;
    half_widths = widths;
    opacity = kept_back;
    // The first row of the texture is the upper one.
    gl_Position = vec4(2.0 * scale / side * vec2(place.x, -place.y), 0.0, 1.0);
}
