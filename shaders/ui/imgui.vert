// Places the triangles of Dear ImGui: positions in logical pixels, y down, to clip space.
// Inputs: in_position (logical pixels), in_texcoord (0 to 1), in_colour (straight alpha).
// Outputs: texcoord, colour. Uniforms: pixels_to_clip = scale (xy) and offset (zw). No defines.

in vec2 in_position;
in vec2 in_texcoord;
in vec4 in_colour;

uniform vec4 pixels_to_clip;

out vec2 texcoord;
out vec4 colour;

void main() {
    texcoord = in_texcoord;
    colour = in_colour;
    gl_Position = vec4(in_position * pixels_to_clip.xy + pixels_to_clip.zw, 0.0, 1.0);
}
