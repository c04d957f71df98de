// The mean of what the pilots of each subcarrier say about the channel, and its mean power.
//
// Defines: SYMBOLS, SHOWN, TARGET_UNIT  ofdm/result.glsl
//          SPECTRA_UNIT, SIGNS_UNIT, PILOTS_UNIT  buffer bindings
//          INVOCATIONS  a power of two

#include "ofdm/result.glsl"

layout(local_size_x = INVOCATIONS) in;

layout(std430, binding = SPECTRA_UNIT) readonly buffer Spectra { vec2 spectra[]; };
layout(std430, binding = SIGNS_UNIT) readonly buffer Signs { float signs[USED]; };
layout(std430, binding = PILOTS_UNIT) writeonly buffer Pilots { vec2 pilots[USED]; };

shared vec3 sums[INVOCATIONS];

// Which symbol of a turn of the pilots has one on a used subcarrier.
int symbol_of_pilot(int used) {
    for (int symbol = 0; symbol < PILOT_SPACING; ++symbol) {
        if (first_pilot(symbol) == used % PILOT_SPACING) {
            return symbol;
        }
    }
    return 0;
}

void main() {
    int place = int(gl_WorkGroupID.x);
    int thread = int(gl_LocalInvocationID.x);
    bool is_used = place < USED;
    // Groups beyond the used subcarriers only take the power of the others: of the middle, -1 to 1, then of the edges.
    int empty = place - USED;
    int k = is_used ? subcarrier(place) : empty < 3 ? (empty - 1) & (SUBCARRIERS - 1) : USED / 2 - 1 + empty;

    vec3 sum = vec3(0.0);
    if (is_used) {
        int stride = INVOCATIONS * PILOT_SPACING;
        for (int symbol = symbol_of_pilot(place) + thread * PILOT_SPACING; symbol < SYMBOLS; symbol += stride) {
            sum.xy += spectra[symbol * SUBCARRIERS + k];
        }
    }
    for (int symbol = thread; symbol < SHOWN; symbol += INVOCATIONS) {
        vec2 received = spectra[symbol * SUBCARRIERS + k];
        sum.z += dot(received, received);
    }
    sums[thread] = sum;
    for (int half_way = INVOCATIONS / 2; half_way > 0; half_way /= 2) {
        barrier();
        if (thread < half_way) {
            sums[thread] += sums[thread + half_way];
        }
    }
    if (thread == 0) {
        power[k] = sums[0].z / float(SHOWN);
        if (is_used) {
            pilots[place] = sums[0].xy * (signs[place] * float(PILOT_SPACING) / float(SYMBOLS));
        }
    }
}
