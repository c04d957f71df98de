// From radiance to the picture on a display: glare, exposure, a filmic curve, the sRGB encoding, dither.
// Inputs: scene, spread_light (the same as a lens spreads it, in the part glare_part of a texture), exposure (display white
// per radiance), white (the light that eyes take for white, of luminance near 1), glare (share that the lens spreads).

#include "ocean/filmic.glsl"
#include "ocean/noise.glsl"

uniform sampler2D scene;
uniform sampler2D spread_light;
uniform vec2 glare_part;
uniform float exposure;
uniform vec3 white;
uniform float glare;

in vec2 screen;
out vec4 colour;

void main() {
    vec2 uv = 0.5 + 0.5 * screen;
    vec3 light = textureLod(scene, uv, 0.0).rgb;
    vec3 spread = max(textureLod(spread_light, uv * glare_part, 0.0).rgb, vec3(0.0));   // rounding may leave less than 0
    light = mix(light, spread, glare);
    // The corners of a picture get a little less light.
    light *= 1.0 - 0.13 * dot(screen, screen) * 0.5;
    vec3 shown = filmic(light * (exposure / white));
    // Dither, by less than one of the display's 256 steps, so that slow gradients of the sky show no bands.
    vec2 noise = random2(ivec2(gl_FragCoord.xy));
    colour = vec4(shown + (noise.x + noise.y - 1.0) / 255.0, 1.0);
}
