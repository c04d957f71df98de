// dft(x) replaces x by its transform of 15 points, as 3 times 5.

#include "fft/radix3.glsl"
#include "fft/radix5.glsl"

#define N1 3
#define N2 5
#define K1 10
#define K2 6
#include "fft/good_thomas.template.glsl"
#undef N1
#undef N2
#undef K1
#undef K2
