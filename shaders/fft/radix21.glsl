// dft(x) replaces x by its transform of 21 points, as 3 times 7.

#include "fft/radix3.glsl"
#include "fft/radix7.glsl"

#define N1 3
#define N2 7
#define K1 7
#define K2 15
#include "fft/good_thomas.template.glsl"
#undef N1
#undef N2
#undef K1
#undef K2
