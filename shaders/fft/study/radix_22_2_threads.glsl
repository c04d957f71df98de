// A word of radix 2^2 by two threads, its real and its imaginary part: eight threads a word group.

// An epoch, or in place of one its second stage alone. Returns where the array is that it writes to.
int add_and_multiply(Word word, bool two_stages, int from, int stage, int part) {
    int to = 2 * LENGTH - from;
    int imaginary = int(gl_LocalInvocationID.x) % 2;
    component even = points[from + word.in_0 + imaginary];
    component odd = points[from + word.in_1 + imaginary];
    if (two_stages) {
        component even_lower = points[from + word.in_2 + imaginary];
        even = word.number < 2 ? even + even_lower : even - even_lower;
        if (word.number < 2) {
            odd += points[from + word.in_3 + imaginary];
        } else {
            // A quarter turn: the parts change places, and one its sign.
            component other = points[from + word.in_1 + 1 - imaginary] - points[from + word.in_3 + 1 - imaginary];
            odd = (imaginary == 0) == (DIRECTION < 0) ? other : -other;
        }
    }
    int is_difference = word.number % 2;
    points[to + word.out_slot + imaginary] = is_difference == 0 ? even + odd : even - odd;
    barrier();
    complex w = factor_of(is_difference, word.butterfly, stage, part);
    component its_part = points[to + word.out_slot + imaginary];
    component other_part = points[to + word.out_slot + 1 - imaginary];
    points[from + word.out_slot + imaginary] = its_part * w.x + (imaginary == 0 ? -other_part : other_part) * w.y;
    return from;
}
