// dft(x) replaces x by its transform of 14 points, as 2 times 7.

#include "fft/radix2.glsl"
#include "fft/radix7.glsl"

#define N1 2
#define N2 7
#define K1 7
#define K2 8
#include "fft/good_thomas.template.glsl"
#undef N1
#undef N2
#undef K1
#undef K2
