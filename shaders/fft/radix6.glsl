// dft(x) replaces x by its transform of 6 points, as 2 times 3.

#include "fft/radix2.glsl"
#include "fft/radix3.glsl"

#include "fft/good_thomas.template.glsl" with N1 = 2, N2 = 3, K1 = 3, K2 = 4
