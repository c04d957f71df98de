// dft(x) replaces x by its transform of 21 points, as 3 times 7.

#include "fft/radix3.glsl"
#include "fft/radix7.glsl"

#include "fft/good_thomas.template.glsl" with N1 = 3, N2 = 7, K1 = 7, K2 = 15
