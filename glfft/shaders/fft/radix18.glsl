// dft(x) replaces x by its transform of 18 points, as 2 times 9.

#include "fft/radix2.glsl"
#include "fft/radix9.glsl"

#define N1 2
#define N2 9
#define K1 9
#define K2 10
#include "fft/good_thomas.template.glsl"
#undef N1
#undef N2
#undef K1
#undef K2
