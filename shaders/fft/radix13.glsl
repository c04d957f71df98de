// dft(x) replaces x by its transform of 13 points: Rader's form, with the generator 2.

#include "fft/roots.glsl"

const int POWERS_13[12] = int[12](1, 2, 4, 8, 3, 6, 12, 11, 9, 5, 10, 7);
const float COSINES_13[6] = float[6](
    0.8854560256532099, 0.5680647467311558, -0.3546048870425356, -0.7485107481711011,
    0.12053668025532305, -0.970941817426052);
const float SINES_13[6] = float[6](
    0.46472317204376856, 0.8229838658936564, 0.9350162426854148, -0.6631226582407952,
    0.992708874098054, 0.23931566428755777);

#include "fft/rader.template.glsl" with PRIME = 13, POWERS = POWERS_13, COSINES = COSINES_13, SINES = SINES_13
