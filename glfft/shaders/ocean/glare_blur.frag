// One direction of a Gaussian blur over the small glare picture.
// Inputs: light, along (one texel's step in the blur's direction), deviation (texels).
// Output: the blurred light.

uniform sampler2D light;
uniform vec2 along;
uniform float deviation;

in vec2 screen;
out vec4 colour;

void main() {
    vec2 uv = 0.5 + 0.5 * screen;
    int reach = int(ceil(2.5 * deviation));
    vec3 sum = vec3(0.0);
    float total = 0.0;
    for (int i = -reach; i <= reach; ++i) {
        float weight = exp(-0.5 * float(i * i) / (deviation * deviation));
        sum += weight * textureLod(light, uv + along * float(i), 0.0).rgb;
        total += weight;
    }
    colour = vec4(sum / total, 1.0);
}
