// A straight stroke with round ends, for blending by multiplication: the share of the light that passes.

flat in vec4 stroke;
flat in vec2 half_widths;
flat in float opacity;

uniform float scale;
uniform float side;

out vec4 passes;

void main() {
    // Not interpolated, which some devices do in steps of 1/256 texel. The first row of the texture is the upper one.
    vec2 place = (gl_FragCoord.xy - 0.5 * side) / scale * vec2(1.0, -1.0);
    vec2 along = stroke.zw - stroke.xy;
    float t = clamp(dot(place - stroke.xy, along) / max(dot(along, along), 1e-12), 0.0, 1.0);
    float outside = distance(place, stroke.xy + t * along) - mix(half_widths.x, half_widths.y, t);
    // A stroke thinner than a texel covers a part of it.
    float width = mix(half_widths.x, half_widths.y, t) * scale;
    float covered = clamp(0.5 - outside * scale, 0.0, 1.0) * min(1.0, 2.0 * width);
    passes = vec4(1.0 - opacity * covered);
}
