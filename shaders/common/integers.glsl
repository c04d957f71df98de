// Whole numbers.

// a mod b, for a >= 0. Unsigned, so that compilers make it cheap where b is a constant.
int remainder(int a, int b) {
    return int(uint(a) % uint(b));
}
