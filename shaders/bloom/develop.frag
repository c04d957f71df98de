// Linear light as a display shows it: exposure, a tone curve, the sRGB encoding, dither.
// Inputs:  light, filtered linearly; exposure; top_first, whether its row 0 is at the top.
// Defines: FILMIC 1: the ocean's filmic curve; 0: sRGB as it is, all that is brighter than white is white

#include "ocean/filmic.glsl"
#include "ocean/noise.glsl"

uniform sampler2D light;
uniform float exposure;
uniform bool top_first;

in vec2 screen;
out vec4 colour;

void main() {
    vec2 uv = 0.5 + 0.5 * vec2(screen.x, top_first ? -screen.y : screen.y);
    vec3 linear = exposure * max(textureLod(light, uv, 0.0).rgb, vec3(0.0));
#if FILMIC
    vec3 shown = filmic(linear);
#else
    vec3 white = min(linear, vec3(1.0));
    vec3 shown = mix(1.055 * pow(white, vec3(1.0 / 2.4)) - 0.055, 12.92 * white, lessThanEqual(white, vec3(0.0031308)));
#endif
    // By less than one of the display's 256 steps, so that slow gradients show no bands.
    vec2 noise = random2(ivec2(gl_FragCoord.xy));
    colour = vec4(shown + (noise.x + noise.y - 1.0) / 255.0, 1.0);
}
