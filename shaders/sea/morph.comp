// The amplitudes of a sea on its way into another: each wave has the mean energy of the two, and its phase goes from that of
// the one to that of the other.
//
// Let A be the wave before, with the frequency wa, and B the wave of the goal, with wb. The ocean's step moves on what is
// stored here with wb. Stored is
//   sqrt((1 - weight) |A|² + weight |B|²) exp(i (arg B + (1 - weight) lead)),  lead = arg A - arg B + (wb - wa) t,
// which is A's wave at weight 0 and B's at weight 1. Whole turns of the lead at the start are left out.
//
// Inputs:  before, goal               (h0(k), h0(-k)) as waves_load.glsl reads them
//          frequency_before, frequency_goal   in fixed point
//          start                      the time of weight 0, in fixed point
//          elapsed                    s, since then
//          weight                     from 0 to 1
// Outputs: amplitudes
// Defines: TEXTURE_UNIT_0 to TEXTURE_UNIT_3, IMAGE_UNIT, SIZE

#include "common/complex.glsl"
#include "sea/phase.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = TEXTURE_UNIT_0) uniform sampler2DArray before;
layout(binding = TEXTURE_UNIT_1) uniform sampler2DArray goal;
layout(binding = TEXTURE_UNIT_2) uniform usampler2DArray frequency_before;
layout(binding = TEXTURE_UNIT_3) uniform usampler2DArray frequency_goal;
layout(binding = IMAGE_UNIT, rgba32f) writeonly uniform image2DArray amplitudes;

uniform uvec2 start;
uniform float elapsed;
uniform float weight;

const float TURN = 6.28318530718;
const float UNIT = 1.0 / 4294967296.0;

float angle(vec2 z) {
    return z == vec2(0.0) ? 0.0 : atan(z.y, z.x);
}

vec2 between(vec2 a, vec2 b, float lead, float since) {
    if (weight >= 1.0) return b;
    float turns = (a == vec2(0.0) || b == vec2(0.0) ? 0.0 : angle(a) - angle(b)) / TURN + lead;
    float phase = (b == vec2(0.0) ? angle(a) : angle(b)) + (1.0 - weight) * TURN * (turns - round(turns) + since);
    return sqrt(mix(dot(a, a), dot(b, b), weight)) * vec2(cos(phase), sin(phase));
}

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(at.xy, ivec2(SIZE / 2, SIZE)))) return;
    ivec3 wave = ivec3(at.x, min(at.y, SIZE - at.y), at.z);
    uvec2 was = texelFetch(frequency_before, wave, 0).xy;
    uvec2 becomes = texelFetch(frequency_goal, wave, 0).xy;
    float lead = float(int(phase_after(start, becomes) - phase_after(start, was))) * UNIT;
    float since = (float(int(becomes.x - was.x)) + (float(becomes.y) - float(was.y)) * UNIT) * elapsed;
    vec4 a = texelFetch(before, at, 0);
    vec4 b = texelFetch(goal, at, 0);
    imageStore(amplitudes, at, vec4(between(a.xy, b.xy, lead, since), between(a.zw, b.zw, lead, since)));
}
