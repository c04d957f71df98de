// Keeps the GPU busy for a while, so that commands can be queued behind it and then run back to back.
//
// Inputs:  rounds   how long, as a count of dependent operations; the caller finds out what a round takes.
// Outputs: kept     one float, never read: it keeps the compiler from removing the work.
// Run with one work group.

layout(local_size_x = 32) in;

layout(std430, binding = 0) buffer Kept { float kept; };

uniform uint rounds;

void main() {
    float value = kept + float(gl_LocalInvocationIndex);
    // Each round needs the one before, so neither the compiler nor the hardware can shorten the chain.
    for (uint round = 0u; round < rounds; ++round) {
        value = fract(value * 1.618034 + 0.5);
    }
    if (gl_LocalInvocationIndex == 0u) {
        kept = value;
    }
}
