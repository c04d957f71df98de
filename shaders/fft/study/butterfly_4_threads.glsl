// A butterfly by four threads: an addition and a multiplication each, and another addition for two of them.
// Ambuluri, listing A.3 and figure 4.9.

shared component SC[2 * LENGTH];

void do_butterfly(Place at, int share) {
    int word = share / 2;       // 0: of the sum, 1: of the difference
    int imaginary = share % 2;  // 0: of its real part, 1: of its imaginary part
    int out_slot = (word == 0 ? at.upper_out : at.lower_out) + imaginary;
    SB[out_slot] = SA[at.upper_in + imaginary] + (word == 0 ? 1.0 : -1.0) * SA[at.lower_in + imaginary];
    barrier();
    // Each part of the difference is multiplied by each part of the factor. The upper slots have the products with its
    // real part, the lower slots those with its imaginary part.
    SC[out_slot] = SB[at.lower_out + imaginary] * (word == 0 ? at.factor.x : at.factor.y);
    barrier();
    if (word == 0) {
        SA[out_slot] = SB[out_slot];
    } else {
        SA[out_slot] = SC[at.upper_out + imaginary] + (imaginary == 0 ? -1.0 : 1.0) * SC[at.lower_out + 1 - imaginary];
    }
}
