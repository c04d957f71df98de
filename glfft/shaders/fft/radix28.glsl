// dft(x) replaces x by its transform of 28 points, as 4 times 7.

#include "fft/radix4.glsl"
#include "fft/radix7.glsl"

#define N1 4
#define N2 7
#define K1 21
#define K2 8
#include "fft/good_thomas.template.glsl"
#undef N1
#undef N2
#undef K1
#undef K2
