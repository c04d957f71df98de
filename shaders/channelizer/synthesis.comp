// The samples that channels make together, by overlap and addition:
//   x[n] = sum over i of f[r + iD] w_m[n mod M],  m = n / D - i,  r = n mod D,
// where w_m is the transform over channels of time m.
//
// Defines:
//   THREADS, GROUPS_ACROSS   invocations of a work group; groups in x
//   CHANNELS                 M
//   DECIMATION               D
//   TIMES                    of a block
//   TAPS                     of f for each r
//   WAVES_BINDING, HISTORY_BINDING, PROTOTYPE_BINDING, SAMPLES_BINDING
// Inputs:
//   rotation                 of the block's first sample, its number mod M

layout(local_size_x = THREADS) in;

layout(std430, binding = WAVES_BINDING) readonly restrict buffer Waves { vec2 waves[]; };
// The waves of the TAPS - 1 times before the block.
layout(std430, binding = HISTORY_BINDING) readonly restrict buffer History { vec2 waves_before[]; };
layout(std430, binding = PROTOTYPE_BINDING) readonly restrict buffer Prototype { float prototype[]; };
layout(std430, binding = SAMPLES_BINDING) writeonly restrict buffer Samples { vec2 samples[]; };

uniform int rotation;

void main() {
    int n = (int(gl_WorkGroupID.y) * GROUPS_ACROSS + int(gl_WorkGroupID.x)) * THREADS + int(gl_LocalInvocationID.x);
    if (n >= TIMES * DECIMATION) {
        return;
    }
    int point = int(uint(n + rotation) % uint(CHANNELS));
    int newest = n / DECIMATION;
    int r = n - newest * DECIMATION;
    vec2 sum = vec2(0.0);
    for (int i = 0; i < TAPS; ++i) {
        int time = newest - i;
        vec2 wave = time < 0 ? waves_before[(TAPS - 1 + time) * CHANNELS + point] : waves[time * CHANNELS + point];
        sum += prototype[r + i * DECIMATION] * wave;
    }
    samples[n] = sum;
}
