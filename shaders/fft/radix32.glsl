// dft(x) replaces x by its transform of 32 points.

#include "fft/radix16.glsl"

// Two transforms of the even and odd points, joined by the roots of 32.
void dft(inout line_point x[32]) {
    line_point even[16];
    line_point odd[16];
    for (int i = 0; i < 16; ++i) {
        even[i] = x[2 * i];
        odd[i] = x[2 * i + 1];
    }
    dft(even);
    dft(odd);
    const vec2 ROOTS[8] = vec2[8](
        vec2(1.0, 0.0), vec2(COS_1_32, SIN_1_32), vec2(COS_2_32, SIN_2_32), vec2(COS_3_32, SIN_3_32),
        vec2(SQRT_HALF, SQRT_HALF), vec2(SIN_3_32, COS_3_32), vec2(SIN_2_32, COS_2_32), vec2(SIN_1_32, COS_1_32));
    for (int k = 0; k < 8; ++k) {
        complex w = root(ROOTS[k].x, ROOTS[k].y);
        line_point first = multiply(odd[k], w);
        line_point second = quarter(multiply(odd[k + 8], w));
        x[k] = even[k] + first;
        x[k + 16] = even[k] - first;
        x[k + 8] = even[k + 8] + second;
        x[k + 24] = even[k + 8] - second;
    }
}
