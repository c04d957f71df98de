// dft(x) replaces x by its transform of 14 points, as 2 times 7.

#include "fft/radix2.glsl"
#include "fft/radix7.glsl"

#include "fft/good_thomas.template.glsl" with N1 = 2, N2 = 7, K1 = 7, K2 = 8
