// The opening that blades leave: the share of the light that passes at each texel.
// Inputs:  screen (the picture, -1 to 1); scale, texels a diameter of the aperture; side, texels of the picture; blades, their
//          number, 0 for a circle; rotation, rad; middle, how far a blade's edge lies from the middle, in diameters.

in vec2 screen;

uniform float scale;
uniform float side;
uniform int blades;
uniform float rotation;
uniform float middle;

out vec4 passes;

void main() {
    // The first row of the texture is the upper one.
    vec2 place = 0.5 * side / scale * vec2(screen.x, -screen.y);
    float outside = blades == 0 ? length(place) - 0.5 : -1.0;
    for (int blade = 0; blade < blades; ++blade) {
        float angle = rotation + 6.28318530717958648 * float(blade) / float(blades);
        vec2 normal = vec2(cos(angle), sin(angle));
        outside = max(outside, dot(place, normal) - middle);
    }
    passes = vec4(clamp(0.5 - outside * scale, 0.0, 1.0));
}
