// Arithmetic that holds for powers of two only: the one file that has it.
//
// Defines: STAGES = log2(LENGTH), at least 1, for bit_reverse

int power_of_two(int exponent) {
    return 1 << exponent;
}

// number / 2^exponent, rounded down.
int divided_by_power(int number, int exponent) {
    return number >> exponent;
}

#ifdef STAGES
// A position with its log2(LENGTH) bits in reverse order.
int bit_reverse(int position) {
    return int(bitfieldReverse(uint(position)) >> (32 - STAGES));
}
#endif
