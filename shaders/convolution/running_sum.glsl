// Sums that numbers enter and leave: as much is left as if those that left had never been there.

// What is added, and what rounding took from it (Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B).
struct RunningSum {
    float rounded;
    float rest;
};

void add(inout RunningSum sum, float number) {
    precise float both = sum.rounded + number;
    precise float added = both - sum.rounded;
    precise float lost = (sum.rounded - (both - added)) + (number - added);
    sum.rounded = both;
    sum.rest += lost;
}

float value_of(RunningSum sum) {
    return sum.rounded + sum.rest;
}
