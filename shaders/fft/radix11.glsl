// dft(x) replaces x by its transform of 11 points: Rader's form, with the generator 2.

#include "fft/roots.glsl"

const int POWERS_11[10] = int[10](1, 2, 4, 8, 5, 10, 9, 7, 3, 6);
const float COSINES_11[5] = float[5](
    0.8412535328311812, 0.41541501300188644, -0.6548607339452851, -0.14231483827328514,
    -0.9594929736144974);
const float SINES_11[5] = float[5](
    0.5406408174555976, 0.9096319953545183, 0.7557495743542583, -0.9898214418809327,
    0.28173255684142967);

#include "fft/rader.template.glsl" with PRIME = 11, POWERS = POWERS_11, COSINES = COSINES_11, SINES = SINES_11
