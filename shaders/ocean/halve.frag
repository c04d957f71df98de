// A texture at half its size: the filter between four texels gives their mean.

uniform sampler2D finer;

out vec4 mean;

void main() {
    mean = textureLod(finer, 2.0 * gl_FragCoord.xy / vec2(textureSize(finer, 0)), 0.0);
}
