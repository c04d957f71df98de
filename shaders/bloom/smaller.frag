// A picture at half its size, by 13 readings around each pixel: five squares of four, which overlap.
// Inputs: finer, filtered linearly.

#include "glare/finite.glsl"

uniform sampler2D finer;

in vec2 screen;
out vec4 light;

vec3 square(vec2 uv, vec2 texel, vec2 centre) {
    vec3 sum = finite_light(textureLod(finer, uv + texel * (centre + vec2(-1.0, -1.0)), 0.0).rgb);
    sum += finite_light(textureLod(finer, uv + texel * (centre + vec2(1.0, -1.0)), 0.0).rgb);
    sum += finite_light(textureLod(finer, uv + texel * (centre + vec2(-1.0, 1.0)), 0.0).rgb);
    sum += finite_light(textureLod(finer, uv + texel * (centre + vec2(1.0, 1.0)), 0.0).rgb);
    return 0.25 * sum;
}

void main() {
    vec2 uv = 0.5 + 0.5 * screen;
    vec2 texel = 1.0 / vec2(textureSize(finer, 0));
    vec3 sum = 0.5 * square(uv, texel, vec2(0.0));
    sum += 0.125 * square(uv, texel, vec2(-1.0, -1.0));
    sum += 0.125 * square(uv, texel, vec2(1.0, -1.0));
    sum += 0.125 * square(uv, texel, vec2(-1.0, 1.0));
    sum += 0.125 * square(uv, texel, vec2(1.0, 1.0));
    light = vec4(sum, 1.0);
}
