// Complex samples as pairs of 16-bit floats: one word each.

layout(std430, binding = SAMPLES_BINDING) readonly buffer Samples { uint samples[]; };

vec2 sample_at(int index) {
    return unpackHalf2x16(samples[index]);
}
