// A level of a chain of mipmaps mixed with the one below it, which a tent of 3 x 3 readings makes smooth.
// Inputs: coarser and own, filtered linearly; share of the coarser one.

uniform sampler2D coarser;
uniform sampler2D own;
uniform float share;

in vec2 screen;
out vec4 light;

void main() {
    vec2 uv = 0.5 + 0.5 * screen;
    vec2 texel = 1.0 / vec2(textureSize(coarser, 0));
    vec3 sum = vec3(0.0);
    for (int row = -1; row <= 1; ++row) {
        for (int column = -1; column <= 1; ++column) {
            float weight = float((2 - abs(row)) * (2 - abs(column))) / 16.0;
            sum += weight * textureLod(coarser, uv + texel * vec2(column, row), 0.0).rgb;
        }
    }
    light = vec4(mix(textureLod(own, uv, 0.0).rgb, sum, share), 1.0);
}
