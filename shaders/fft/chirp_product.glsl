// The product of the spectrum of a padded line with that of the chirp, which is kept in the order that passes over parts
// leave: contiguous parts one after the other.
//
// Defines, inputs: fft/four_step.glsl, fft/chirp.glsl

#include "fft/chirp.glsl"

value product(ivec3 at, value spectrum) {
    int position = AXIS == 1 ? at.x : at.y;
    int line = AXIS == 1 ? at.y : at.x;
    return multiply(spectrum, chirp_entry(part_of(line) * PART_POINTS + position));
}
