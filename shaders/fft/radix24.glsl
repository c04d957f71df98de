// dft(x) replaces x by its transform of 24 points, as 8 times 3.

#include "fft/radix8.glsl"
#include "fft/radix3.glsl"

#define N1 8
#define N2 3
#define K1 9
#define K2 16
#include "fft/good_thomas.template.glsl"
#undef N1
#undef N2
#undef K1
#undef K2
