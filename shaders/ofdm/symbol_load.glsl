// The samples of a symbol, behind its guard interval, scaled for a transform that divides by its points: the sender
// divides the sum of its points by the root of their number.
//
// Needs: vec2 sample_at(int index)

#include "ofdm/symbol.glsl"

value load(ivec3 at) {
    return value(sample_at(at.y * (GUARD + SUBCARRIERS) + GUARD + at.x)) * sqrt(float(USED));
}
