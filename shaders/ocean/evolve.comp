// The waves at one moment: from the amplitudes h0(k) to the spectra of eight real fields, two to a complex spectrum.
//
//   h(k, t) = h0(k) exp(-i w t) + conj(h0(-k)) exp(+i w t)      (Tessendorf 2001, equation 43; h0(k) runs towards +k)
//
// Where A and B are spectra of real fields, the inverse transform of A + i B has one as its real part and the other as its
// imaginary part. Rounding errors follow the larger of the two, so partners should be of like magnitude: dxz, which is left
// over for the height, is raised to it by a power of two.
//
// Inputs:  amplitudes  h0, metres, FFT order, column = x, row = z, zero at k = 0 and in the Nyquist row and column
//          frequencies w / 2 pi of each k, turns per second in fixed point (see phase.glsl)
//          time        seconds in fixed point
//          wave_spacing 2 pi / tile, rad/m
//          dxz_scale   metres; a power of two
// Outputs: the four packed spectra named below; metres for height, dx, dz and dxz * dxz_scale, no unit for the others
// Defines: SIZE, samples along a side, a multiple of 16

#include "common/complex.glsl"
#include "ocean/phase.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

layout(binding = 0) uniform sampler2D amplitudes;
layout(binding = 1) uniform usampler2D frequencies;
uniform uvec2 time;
uniform float wave_spacing;
uniform float dxz_scale;

layout(binding = 0) writeonly uniform image2D dx_and_dz;
layout(binding = 1) writeonly uniform image2D height_and_dxz;
layout(binding = 2) writeonly uniform image2D slope_x_and_slope_z;
layout(binding = 3) writeonly uniform image2D dxx_and_dzz;

// a + i b, spelled out: NVIDIA's compiler (seen with driver 580) loses a sign in a + turn(b) where b is itself a turn.
void store(writeonly image2D target, ivec2 index, complex a, complex b) {
    imageStore(target, index, vec4(a.x - b.y, a.y + b.x, 0.0, 0.0));
}

void main() {
    ivec2 index = ivec2(gl_GlobalInvocationID.xy);
    ivec2 mirror = (SIZE - index) & (SIZE - 1);

    uint phase = phase_after(time, texelFetch(frequencies, index, 0).xy);
    complex forwards = conjugate(unit_phasor(phase));
    complex h = multiply(texelFetch(amplitudes, index, 0).xy, forwards)
              + multiply(conjugate(texelFetch(amplitudes, mirror, 0).xy), conjugate(forwards));

    ivec2 order = index - SIZE * ivec2(greaterThanEqual(index, ivec2(SIZE / 2))); // 0, 1, ..., N/2-1, -N/2, ..., -1
    vec2 k = wave_spacing * vec2(order);
    float wavenumber = length(k);
    vec2 direction = wavenumber > 0.0 ? k / wavenumber : vec2(0.0);

    // With exp(+i k.x) this sign of the displacement sharpens crests: position = x + choppiness * (dx, dz).
    store(dx_and_dz, index, turn(h) * direction.x, turn(h) * direction.y);
    store(height_and_dxz, index, h, -h * direction.x * k.y * dxz_scale);
    store(slope_x_and_slope_z, index, turn(h) * k.x, turn(h) * k.y);
    store(dxx_and_dzz, index, -h * direction.x * k.x, -h * direction.y * k.y);
}
