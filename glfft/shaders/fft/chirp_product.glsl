// The product of the spectrum of a padded line with that of the chirp, which is kept in the order that passes over parts
// leave: contiguous parts one after the other.
//
// Defines, inputs: fft/four_step.glsl, and CHIRP_OFFSET, where the chirp's spectrum begins in the table of twiddle factors

value product(ivec3 at, value spectrum) {
    int position = AXIS == 1 ? at.x : at.y;
    int line = AXIS == 1 ? at.y : at.x;
    return multiply(spectrum, table_entry(CHIRP_OFFSET + part_of(line) * PART_POINTS + position));
}
