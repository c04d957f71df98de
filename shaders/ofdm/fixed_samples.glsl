// Complex samples as pairs of 8-bit integers with a sign: two samples a word, the first in its lower half.

// From an integer to the next.
uniform float sample_step;

layout(std430, binding = SAMPLES_BINDING) readonly buffer Samples { int samples[]; };

vec2 sample_at(int index) {
    int pair = samples[index >> 1];
    int first = (index & 1) * 16;
    ivec2 numbers = ivec2(bitfieldExtract(pair, first, 8), bitfieldExtract(pair, first + 8, 8));
    return (vec2(numbers) + 0.5) * sample_step;
}
