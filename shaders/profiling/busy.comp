// Keeps the GPU busy for a while, so that commands queued behind it run without gaps.
//
// Inputs:  rounds   how many operations to do, one after the other; the caller measures how long one takes.
// Outputs: kept     a number that nobody reads: without it the compiler would remove the work.
// Run with one work group.

layout(local_size_x = 32) in;

layout(std430, binding = BUSY_BINDING) buffer Kept { float kept; };

uniform uint rounds;

void main() {
    float value = kept + float(gl_LocalInvocationIndex);
    // Each round needs the result of the one before, so that neither compiler nor hardware can do them at once.
    for (uint round = 0u; round < rounds; ++round) {
        value = fract(value * 1.618034 + 0.5);
    }
    if (gl_LocalInvocationIndex == 0u) {
        kept = value;
    }
}
