// A stroke that lies over a mask and is not in it yet: glfft.apps.spectrum.strokes in GLSL, without the brush.
//
// Uniforms: stroke_tool, 0 for none; stroke_point, the frequency (across, down) in cycles; stroke_radius, and
//           stroke_hard, the part of it without an edge

const int NOTCH = 1, RING = 2, WEDGE = 3, BAND = 4;

uniform int stroke_tool;
uniform vec2 stroke_point;
uniform float stroke_radius;
uniform float stroke_hard;

float stroke_distance(vec2 frequency, vec2 size) {
    if (stroke_tool == NOTCH) {
        vec2 away = frequency - stroke_point;
        return length(away - size * round(away / size));
    }
    // Cycles along the longer side.
    vec2 even = max(size.x, size.y) / size;
    vec2 bin = frequency * even, point = stroke_point * even;
    float distance = length(point);
    if (stroke_tool == RING) return abs(length(bin) - distance);
    if (distance == 0.0) return 2.0 * stroke_radius;
    float along = abs(dot(bin, point)) / distance;
    float aside = abs(bin.y * point.x - bin.x * point.y) / distance;
    if (stroke_tool == BAND) return length(vec2(aside, max(distance - along, 0.0)));
    return max(atan(aside, along) * distance, max(distance - length(bin), 0.0));
}

float stroke_weight(ivec2 bin, ivec2 size) {
    vec2 frequency = vec2(bin - size * ivec2(greaterThan(bin, (size - 1) / 2)));
    float distance = stroke_distance(frequency, vec2(size));
    if (distance <= stroke_hard) return 1.0;
    if (distance >= stroke_radius) return 0.0;
    return 0.5 + 0.5 * cos(3.14159265 * (distance - stroke_hard) / (stroke_radius - stroke_hard));
}

// What a bin keeps of which the mask keeps a share.
float under_stroke(float kept, ivec2 bin, ivec2 size) {
    if (stroke_tool == 0 || bin == ivec2(0)) return kept;
    return min(kept, 1.0 - max(stroke_weight(bin, size), stroke_weight((size - bin) % size, size)));
}
