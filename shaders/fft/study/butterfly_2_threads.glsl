// A butterfly by two threads. Ambuluri, listing A.2 and figures 4.6 and 4.8.
//
// Balanced, each does 3 additions and 2 multiplications: thread 0 the sum and the product's real part, thread 1 the
// difference and the product's imaginary part. Unbalanced, thread 1 does the whole product while thread 0 waits.

void do_butterfly(Place at, int share) {
    int out_slot = share == 0 ? at.upper_out : at.lower_out;
    float its_sign = share == 0 ? 1.0 : -1.0;
    SB[out_slot] = SA[at.upper_in] + its_sign * SA[at.lower_in];
    SB[out_slot + 1] = SA[at.upper_in + 1] + its_sign * SA[at.lower_in + 1];
    barrier();
#if BALANCED
    SA[at.upper_out + share] = SB[at.upper_out + share];
    SA[at.lower_out + share] =
        SB[at.lower_out + share] * at.factor.x - its_sign * SB[at.lower_out + 1 - share] * at.factor.y;
#else
    if (share == 0) {
        SA[at.upper_out] = SB[at.upper_out];
        SA[at.upper_out + 1] = SB[at.upper_out + 1];
    } else {
        SA[at.lower_out] = SB[at.lower_out] * at.factor.x - SB[at.lower_out + 1] * at.factor.y;
        SA[at.lower_out + 1] = SB[at.lower_out] * at.factor.y + SB[at.lower_out + 1] * at.factor.x;
    }
#endif
}
