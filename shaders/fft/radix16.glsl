// dft(x) replaces x by its transform of 16 points.

#include "fft/radix4.glsl"
#include "fft/roots.glsl"

// Four transforms of every fourth point, then four across them.
void dft(inout line_point x[16]) {
    line_point a[4] = line_point[4](x[0], x[4], x[8], x[12]);
    line_point b[4] = line_point[4](x[1], x[5], x[9], x[13]);
    line_point c[4] = line_point[4](x[2], x[6], x[10], x[14]);
    line_point d[4] = line_point[4](x[3], x[7], x[11], x[15]);
    dft(a);
    dft(b);
    dft(c);
    dft(d);
    b[1] = multiply(b[1], root(COS_2_32, SIN_2_32));
    b[2] = eighth(b[2]);
    b[3] = multiply(b[3], root(SIN_2_32, COS_2_32));
    c[1] = eighth(c[1]);
    c[2] = quarter(c[2]);
    c[3] = eighth(quarter(c[3]));
    d[1] = multiply(d[1], root(SIN_2_32, COS_2_32));
    d[2] = eighth(quarter(d[2]));
    d[3] = multiply(d[3], root(-COS_2_32, -SIN_2_32));
    for (int k = 0; k < 4; ++k) {
        line_point across[4] = line_point[4](a[k], b[k], c[k], d[k]);
        dft(across);
        x[k] = across[0];
        x[k + 4] = across[1];
        x[k + 8] = across[2];
        x[k + 12] = across[3];
    }
}
