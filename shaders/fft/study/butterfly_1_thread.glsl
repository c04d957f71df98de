// A butterfly by one thread: 6 additions and 4 multiplications. Ambuluri, listings 4.1 and A.1.

void do_butterfly(Place at, int share) {
    SB[at.upper_out] = SA[at.upper_in] + SA[at.lower_in];
    SB[at.upper_out + 1] = SA[at.upper_in + 1] + SA[at.lower_in + 1];
    SB[at.lower_out] = SA[at.upper_in] - SA[at.lower_in];
    SB[at.lower_out + 1] = SA[at.upper_in + 1] - SA[at.lower_in + 1];
#if CONSTANT_GEOMETRY
    // The places it writes are those that other threads read. Listing 4.1 has no barrier here, and needs one.
    barrier();
#endif
    SA[at.upper_out] = SB[at.upper_out];
    SA[at.upper_out + 1] = SB[at.upper_out + 1];
    SA[at.lower_out] = SB[at.lower_out] * at.factor.x - SB[at.lower_out + 1] * at.factor.y;
    SA[at.lower_out + 1] = SB[at.lower_out] * at.factor.y + SB[at.lower_out + 1] * at.factor.x;
}
