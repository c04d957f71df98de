// dft(x) replaces x by its transform of 20 points, as 4 times 5.

#include "fft/radix4.glsl"
#include "fft/radix5.glsl"

#define N1 4
#define N2 5
#define K1 5
#define K2 16
#include "fft/good_thomas.template.glsl"
#undef N1
#undef N2
#undef K1
#undef K2
