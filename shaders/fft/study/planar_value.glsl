// A value of several complex numbers with their real parts in one vector and their imaginary parts in another, in place of
// common/value.glsl. GLSL's vectors have four floats. A matrix has more, and its sum, difference and product with a number
// are those of its elements: its first columns are real parts, as many others imaginary parts.
//
// Defines: VECTORS   of four real parts in a value: 1 or 2; a value is a mat2x4 or a mat4

#include "common/complex.glsl"

value multiply(value a, complex b) {
#if VECTORS == 1
    return mat2x4(a[0] * b.x - a[1] * b.y, a[0] * b.y + a[1] * b.x);
#else
    vec4 first = a[0] * b.x - a[2] * b.y;
    vec4 second = a[1] * b.x - a[3] * b.y;
    return mat4(first, second, a[0] * b.y + a[2] * b.x, a[1] * b.y + a[3] * b.x);
#endif
}

// i * a.
value times_i(value a) {
#if VECTORS == 1
    return mat2x4(-a[1], a[0]);
#else
    return mat4(-a[2], -a[3], a[0], a[1]);
#endif
}
