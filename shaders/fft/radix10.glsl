// dft(x) replaces x by its transform of 10 points, as 2 times 5.

#include "fft/radix2.glsl"
#include "fft/radix5.glsl"

#include "fft/good_thomas.template.glsl" with N1 = 2, N2 = 5, K1 = 5, K2 = 6
