// dft(x) replaces x by its transform of 30 points, as 2 times 15.

#include "fft/radix2.glsl"
#include "fft/radix15.glsl"

#define N1 2
#define N2 15
#define K1 15
#define K2 16
#include "fft/good_thomas.template.glsl"
#undef N1
#undef N2
#undef K1
#undef K2
