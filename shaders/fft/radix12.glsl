// dft(x) replaces x by its transform of 12 points, as 4 times 3.

#include "fft/radix4.glsl"
#include "fft/radix3.glsl"

#define N1 4
#define N2 3
#define K1 9
#define K2 4
#include "fft/good_thomas.template.glsl"
#undef N1
#undef N2
#undef K1
#undef K2
