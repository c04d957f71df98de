// A straight stroke with round ends, for blending by multiplication: the share of the light that passes.

in vec2 place;
flat in vec4 stroke;
flat in vec2 half_widths;
flat in float opacity;

uniform float scale;

out vec4 passes;

void main() {
    vec2 along = stroke.zw - stroke.xy;
    float t = clamp(dot(place - stroke.xy, along) / max(dot(along, along), 1e-12), 0.0, 1.0);
    float outside = distance(place, stroke.xy + t * along) - mix(half_widths.x, half_widths.y, t);
    // A stroke thinner than a texel covers a part of it.
    float width = mix(half_widths.x, half_widths.y, t) * scale;
    float covered = clamp(0.5 - outside * scale, 0.0, 1.0) * min(1.0, 2.0 * width);
    passes = vec4(1.0 - opacity * covered);
}
