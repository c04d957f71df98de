// Complex arithmetic on vec2: x is the real part, y the imaginary part.

#define complex vec2

complex multiply(complex a, complex b) {
    return complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

complex conjugate(complex a) {
    return complex(a.x, -a.y);
}

// i * a, a quarter turn.
complex turn(complex a) {
    return complex(-a.y, a.x);
}
