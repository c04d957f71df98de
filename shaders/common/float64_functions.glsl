// Functions that GLSL has in float32 only, by their power series.

#ifdef DOUBLE_PRECISION

// sin(pi x)^2 for 0 <= x <= 1, where it is the same for 1 - x: terms up to the 23rd power of at most a quarter turn.
dvec2 sine_squared(dvec2 x) {
    dvec2 angle = 3.14159265358979324LF * min(x, 1.0LF - x);
    dvec2 term = angle;
    dvec2 sine = angle;
    for (int k = 2; k < 24; k += 2) {
        term *= -angle * angle / double(k * (k + 1));
        sine += term;
    }
    return sine * sine;
}

// The natural logarithm of a positive number f 2^e, with f between the roots of 1/2 and 2:
// log f = 2 artanh r, r = (f - 1) / (f + 1), |r| < 0.172.
double log(double number) {
    int exponent;
    double fraction = frexp(number, exponent);
    if (fraction < 0.707106781186547524LF) {
        fraction *= 2.0LF;
        --exponent;
    }
    double ratio = (fraction - 1.0LF) / (fraction + 1.0LF);
    double power = ratio;
    double sum = ratio;
    for (int k = 3; k < 24; k += 2) {
        power *= ratio * ratio;
        sum += power / double(k);
    }
    return 2.0LF * sum + 0.693147180559945309LF * double(exponent);
}

dvec2 log(dvec2 numbers) {
    return dvec2(log(numbers.x), log(numbers.y));
}

#endif
