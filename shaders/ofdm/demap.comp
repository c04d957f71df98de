// Equaliser and demapper: eight points of a symbol to the 32 bits that they most probably carry.
//
// Defines: SYMBOLS, SHOWN, TARGET_UNIT  ofdm/result.glsl
//          SPECTRA_UNIT  buffer binding
//          INVOCATIONS

#include "common/complex.glsl"
#include "ofdm/result.glsl"

layout(local_size_x = INVOCATIONS) in;

layout(std430, binding = SPECTRA_UNIT) readonly buffer Spectra { vec2 spectra[]; };

const int POINTS_A_WORD = 8;
// Between the inner and the outer levels, which are 1 and 3 over the root of 10.
const float BETWEEN_LEVELS = 0.632455532;

// Gray's code of a level: its sign in the higher bit, and in the lower one whether it is one of the inner two.
uint bits_of(float level, float threshold) {
    return (level > 0.0 ? 2u : 0u) | (abs(level) < threshold ? 1u : 0u);
}

void main() {
    int index = int(gl_GlobalInvocationID.x);
    if (index >= SYMBOLS * WORDS) {
        return;
    }
    int symbol = index / WORDS;
    int first = index % WORDS * POINTS_A_WORD;
    uint word = 0u;
    for (int i = 0; i < POINTS_A_WORD; ++i) {
        int used = data_place(symbol, first + i);
        vec2 h = response[used];
        float gain = dot(h, h);
        // A point times the gain: where the channel lets nothing through, nothing is divided by zero.
        vec2 point = multiply(spectra[symbol * SUBCARRIERS + subcarrier(used)], conjugate(h));
        float threshold = BETWEEN_LEVELS * gain;
        uint four = bits_of(point.x, threshold) | bits_of(point.y, threshold) << 2;
        word |= four << (4 * i);
        if (symbol < SHOWN) {
            points[symbol * DATA + first + i] = point / max(gain, 1e-12);
        }
    }
    words[index] = word;
}
