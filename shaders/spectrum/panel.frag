// Draws a part of a picture, whose values are display values, and up to two circles over it; of a spectrum what a mask
// removes is darker.
//
// In:   picture, place from panel.vert; mask, r32f in FFT order, 1 where all is kept
// Out:  colour
// Uniforms: part, left, top, width and height of what is seen, as fractions of the picture; circles, the middles of two
//       (x, y, x, y), and radii, of both, all likewise; radii of 0 draw none; is_masked, whether the mask counts;
//       origin, the bin shown at pixel (0, 0); those of stroke.glsl, of a stroke over the mask
// Defines: TEXTURE_UNIT, MASK_UNIT, of picture and mask

layout(binding = TEXTURE_UNIT) uniform sampler2D picture;
layout(binding = MASK_UNIT) uniform sampler2D mask;

uniform vec4 part;
uniform vec4 circles;
uniform vec2 radii;
uniform int is_masked;
uniform ivec2 origin;

#include "spectrum/stroke.glsl"

in vec2 place;
out vec4 colour;

// 1 on a line about a pixel wide, at a distance of 1.
float line(float distance) {
    return 1.0 - smoothstep(0.5, 1.5, abs(distance - 1.0) / max(fwidth(distance), 1e-6));
}

void main() {
    vec2 seen = part.xy + place * part.zw;
    vec2 scale = 1.0 / max(radii, vec2(1e-9));
    float drawn = max(line(length((seen - circles.xy) * scale)), line(length((seen - circles.zw) * scale)));
    vec3 shown = texture(picture, seen).rgb;
    if (is_masked != 0) {
        ivec2 size = textureSize(mask, 0);
        ivec2 pixel = clamp(ivec2(seen * vec2(size)), ivec2(0), size - 1);
        ivec2 bin = (pixel + origin) % size;
        shown *= under_stroke(texelFetch(mask, bin, 0).r, bin, size);
    }
    colour = vec4(mix(shown, vec3(1.0), radii.x > 0.0 ? drawn : 0.0), 1.0);
}
