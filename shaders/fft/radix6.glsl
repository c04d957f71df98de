// dft(x) replaces x by its transform of 6 points, as 2 times 3.

#include "fft/radix2.glsl"
#include "fft/radix3.glsl"

#define N1 2
#define N2 3
#define K1 3
#define K2 4
#include "fft/good_thomas.template.glsl"
#undef N1
#undef N2
#undef K1
#undef K2
