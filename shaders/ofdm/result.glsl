// What a receiver gives for a block of symbols: glfft/apps/ofdm/link/reception.py.
//
// Defines: SYMBOLS  of a block
//          SHOWN    how many of them are shown, from the first on
//          TARGET_UNIT  buffer binding

#include "ofdm/symbol.glsl"

const int WORDS = DATA / 8;

layout(std430, binding = TARGET_UNIT) buffer Result {
    uint words[SYMBOLS * WORDS];    // the bits
    vec2 points[SHOWN * DATA];      // the equalised points of the symbols that are shown
    vec2 response[USED];            // the channel's, as it was estimated
    float power[SUBCARRIERS];       // the mean of what was received, over the symbols that are shown
};
