// A texture at half its size: the mean of four texels, or of two where a side is 1 texel. It is no texture filter's, as some
// devices round that. Where the mean lies halfway between two numbers of the format, some devices round up and others down: a
// hair more and a hair less, in turn, decide that.

uniform sampler2D finer;

out vec4 mean;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(finer, 0) - 1;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        sum += texelFetch(finer, min(2 * texel + ivec2(i & 1, i >> 1), last), 0);
    }
    mean = sum * (((texel.x + texel.y) & 1) == 0 ? 0.250015 : 0.249985);
}
