// dft(x) replaces x by its transform of 9 points: three transforms of every third point, then three across them.

#include "fft/radix3.glsl"

const vec2 ROOT_1_9 = vec2(0.766044443118978, 0.6427876096865394);  // cosine and sine of 2 pi / 9, and so on
const vec2 ROOT_2_9 = vec2(0.17364817766693036, 0.984807753012208);
const vec2 ROOT_4_9 = vec2(-0.9396926207859084, 0.3420201433256687);

void dft(inout line_point x[9]) {
    line_point a[3] = line_point[3](x[0], x[3], x[6]);
    line_point b[3] = line_point[3](x[1], x[4], x[7]);
    line_point c[3] = line_point[3](x[2], x[5], x[8]);
    dft(a);
    dft(b);
    dft(c);
    b[1] = multiply(b[1], root(ROOT_1_9.x, ROOT_1_9.y));
    b[2] = multiply(b[2], root(ROOT_2_9.x, ROOT_2_9.y));
    c[1] = multiply(c[1], root(ROOT_2_9.x, ROOT_2_9.y));
    c[2] = multiply(c[2], root(ROOT_4_9.x, ROOT_4_9.y));
    for (int k = 0; k < 3; ++k) {
        line_point across[3] = line_point[3](a[k], b[k], c[k]);
        dft(across);
        x[k] = across[0];
        x[k + 3] = across[1];
        x[k + 6] = across[2];
    }
}
