// A word of radix 2^2 by one thread, four threads a word group.

// An epoch, or in place of one its second stage alone. Returns where the array is that it writes to.
int add_and_multiply(Word word, bool two_stages, int from, int stage, int part) {
    int to = 2 * LENGTH - from;
    value even = point_at(from + word.in_0);
    value odd = point_at(from + word.in_1);
    if (two_stages) {
        value even_lower = point_at(from + word.in_2);
        value odd_lower = point_at(from + word.in_3);
        even = word.number < 2 ? even + even_lower : even - even_lower;
        odd = word.number < 2 ? odd + odd_lower : quarter(odd - odd_lower);
    }
    int is_difference = word.number % 2;
    value v = is_difference == 0 ? even + odd : even - odd;
    v = multiply(v, factor_of(is_difference, word.butterfly, stage, part));
    points[to + word.out_slot] = real_component(v);
    points[to + word.out_slot + 1] = imaginary_component(v);
    return to;
}
