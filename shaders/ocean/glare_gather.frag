// First step of the glare of the lens: the scene at a quarter of its size or less.
// Inputs: scene (radiance), most (brighter light counts as this much, so that a single pixel of sun does not flicker).
// Output: radiance.

uniform sampler2D scene;
uniform float most;

in vec2 screen;
out vec4 colour;

void main() {
    vec2 uv = 0.5 + 0.5 * screen;
    vec2 texel = 1.0 / vec2(textureSize(scene, 0));
    vec3 sum = vec3(0.0);
    // Four bilinear samples between texels cover four by four of them.
    for (int j = -1; j <= 1; j += 2) {
        for (int i = -1; i <= 1; i += 2) {
            vec3 light = textureLod(scene, uv + texel * vec2(i, j), 0.0).rgb;
            // All channels are scaled alike: limited one by one, every bright light would become white.
            sum += light * min(1.0, most / max(1e-6, max(light.r, max(light.g, light.b))));
        }
    }
    colour = vec4(0.25 * sum, 1.0);
}
