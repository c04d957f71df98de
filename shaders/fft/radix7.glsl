// dft(x) replaces x by its transform of 7 points: Rader's form, with the generator 3.

#include "fft/roots.glsl"

const int POWERS_7[6] = int[6](1, 3, 2, 6, 4, 5);
const float COSINES_7[3] = float[3](
    0.6234898018587335, -0.9009688679024191, -0.2225209339563144);
const float SINES_7[3] = float[3](
    0.7818314824680298, 0.4338837391175581, 0.9749279121818236);

#include "fft/rader.template.glsl" with PRIME = 7, POWERS = POWERS_7, COSINES = COSINES_7, SINES = SINES_7
