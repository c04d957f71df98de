// dft(x) replaces x by its transform of 24 points, as 8 times 3.

#include "fft/radix8.glsl"
#include "fft/radix3.glsl"

#include "fft/good_thomas.template.glsl" with N1 = 8, N2 = 3, K1 = 9, K2 = 16
