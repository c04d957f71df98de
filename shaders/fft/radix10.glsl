// dft(x) replaces x by its transform of 10 points, as 2 times 5.

#include "fft/radix2.glsl"
#include "fft/radix5.glsl"

#define N1 2
#define N2 5
#define K1 5
#define K2 6
#include "fft/good_thomas.template.glsl"
#undef N1
#undef N2
#undef K1
#undef K2
