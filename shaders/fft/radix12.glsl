// dft(x) replaces x by its transform of 12 points, as 4 times 3.

#include "fft/radix4.glsl"
#include "fft/radix3.glsl"

#include "fft/good_thomas.template.glsl" with N1 = 4, N2 = 3, K1 = 9, K2 = 4
