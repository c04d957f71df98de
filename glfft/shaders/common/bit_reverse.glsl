// A position with its log2(LENGTH) bits in reverse order.
//
// Defines: STAGES = log2(LENGTH), at least 1.

int bit_reverse(int position) {
    return int(bitfieldReverse(uint(position)) >> (32 - STAGES));
}
