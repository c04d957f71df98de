// dft(x) replaces x by its transform of 15 points, as 3 times 5.

#include "fft/radix3.glsl"
#include "fft/radix5.glsl"

#include "fft/good_thomas.template.glsl" with N1 = 3, N2 = 5, K1 = 10, K2 = 6
