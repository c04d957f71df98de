// Complex samples as pairs of 32-bit floats.

layout(std430, binding = SAMPLES_BINDING) readonly buffer Samples { vec2 samples[]; };

vec2 sample_at(int index) {
    return samples[index];
}
