// Input of the ocean step's first transform, along z: the spectra of the waves at one moment, from their amplitudes.
//
//   h(k, t) = h0(k) exp(-i w t) + conj(h0(-k)) exp(+i w t)      (Tessendorf 2001, equation 43; h0(k) runs towards +k)
//
// All eight fields are derivatives of two: the height H and the potential Q, of spectrum h coth(|k| depth) / |k|, whose
// gradient is the horizontal displacement: by linear theory the water moves in ellipses, the longer the shallower it is
// (Airy 1845). With exp(+i k.x) its sign sharpens crests: position = x + choppiness * (dx, dz). A derivative
// along x is a factor i kx, before as after the transform along z, so five spectra are enough for the first transform: H,
// dH/dz, Q, dQ/dz and d²Q/dz². Fields are real, so the values at -kx would be the conjugates of those at kx, and only
// kx >= 0 is transformed: N / 2 columns.
//
// Layers:  0: (H, dH/dz), 1: (dQ/dz, d²Q/dz²), 2: (Q, nothing)
// Inputs:  amplitudes    (h0(k), h0(-k)), metres, column = x from 0 to N/2 - 1, row = z in FFT order, a layer a tile; zero
//                        at k = 0 and in the Nyquist row
//          frequencies   w / 2 pi of each k, cycles per second in fixed point (see phase.glsl): rows 0 to N/2, since those
//                        of -kz are the same
//          time          seconds in fixed point
//          wave_spacing  2 pi / tile, rad/m
//          wave_depth    of the water, m, at most 1e9

#include "common/complex.glsl"
#include "sea/phase.glsl"
#include "sea/wave_layers.glsl"

uniform sampler2DArray amplitudes;
uniform usampler2DArray frequencies;
uniform uvec2 time;
uniform float wave_spacing[WAVE_TILES];
uniform float wave_depth[WAVE_TILES];

const float DEEP = 10.0; // from there on coth is 1 in float32

// coth(x), 0 <= x < DEEP: by its series where a difference of exponentials would lose digits. It is finite at 0, where there
// is no wave.
float coth(float x) {
    float q = x * x;
    float series = (1.0 + q * (1.0 / 3.0 - q * (1.0 / 45.0 - q * (2.0 / 945.0 - q / 4725.0)))) / max(x, 1e-12);
    float mirrored = exp(-2.0 * x);
    return x < 0.5 ? series : (1.0 + mirrored) / (1.0 - mirrored);
}

complex height_spectrum(ivec3 at) {
    uint phase = phase_after(time, texelFetch(frequencies, ivec3(at.x, min(at.y, ROWS - at.y), at.z), 0).xy);
    vec4 there_and_back = multiply(texelFetch(amplitudes, at, 0), conjugate(unit_phasor(phase)));
    return there_and_back.xy + conjugate(there_and_back.zw);
}

// The layers differ only in factors, and no fetch is in a branch, so that a thread can wait for those of all its points at
// once.
value load(ivec3 at) {
    int tile = at.z / WAVE_LAYERS;
    int layer = at.z % WAVE_LAYERS;
    complex h = height_spectrum(ivec3(at.xy, tile));

    vec2 k = wave_spacing[tile] * vec2(at.x, at.y < ROWS / 2 ? at.y : at.y - ROWS); // 0, 1, ..., N/2-1, -N/2, ..., -1
    complex along_z = times_i(h) * k.y;
    complex twice_along_z = -h * (k.y * k.y);
    // At k = 0 there is no wave, and nothing to divide by.
    float length_squared = max(dot(k, k), 1e-30);
    float inverse_length = inversesqrt(length_squared);
    float depth_in_waves = length_squared * inverse_length * wave_depth[tile];
    float wide = 1.0;
    // Deep water and heights never take this branch. Without it three tiles of 512 x 512 took an NVIDIA H200 28.8, not 28.1 us.
    if (layer > 0 && depth_in_waves < DEEP) {
        wide = coth(depth_in_waves);
    }
    float factor = layer == 0 ? 1.0 : inverse_length * wide;
    complex first = layer == 1 ? along_z : h;
    complex second = layer == 0 ? along_z : layer == 1 ? twice_along_z : complex(0.0);
    return value(first, second) * factor;
}
