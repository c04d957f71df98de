// Complex arithmetic on vec2: x is the real part, y the imaginary part; and on pairs of complex numbers in a vec4.
//
// Defines: COMPLEX_PAIRS  0: nothing is a pair

#define complex vec2

complex multiply(complex a, complex b) {
    return complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

complex conjugate(complex a) {
    return complex(a.x, -a.y);
}

// i * a.
complex times_i(complex a) {
    return complex(-a.y, a.x);
}

#if !defined(COMPLEX_PAIRS) || COMPLEX_PAIRS
vec4 multiply(vec4 pair, complex b) {
    return vec4(multiply(pair.xy, b), multiply(pair.zw, b));
}

vec4 conjugate(vec4 pair) {
    return vec4(pair.x, -pair.y, pair.z, -pair.w);
}

vec4 times_i(vec4 pair) {
    return vec4(-pair.y, pair.x, -pair.w, pair.z);
}
#endif
