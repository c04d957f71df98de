// Input of the ocean step's second transform, along x: the spectra of eight real fields, two in each complex number.
//
// Where A and B are spectra of real fields, the inverse transform of A + i B has one field as its real part and the other as
// its imaginary part. Rounding errors depend on the larger of the two, so both should be of about the same size: dxz is
// multiplied by a power of two, to be about as large as dz.
//
// Layers:  0: (height + i dx, slope_x + i slope_z), 1: (dz + i dxz * dxz_scale, dxx + i dzz)
// Inputs:  half_pairs, half_singles   written by waves_store.glsl: column = kx from 0 to N/2 - 1, row = z; the Nyquist
//                              column N/2 is zero
//          wave_spacing               2 pi / tile, rad/m

#include "common/complex.glsl"
#include "sea/field_layers.glsl"

uniform sampler2DArray half_pairs;
uniform sampler2DArray half_singles;
uniform float wave_spacing[FIELD_TILES];

// The fetches are outside all branches, so that a thread can wait for those of all its points at once.
value load(ivec3 at) {
    int tile = at.z / FIELD_LAYERS;
    int column = min(at.x, COLUMNS - at.x);
    vec4 pair = texelFetch(half_pairs, ivec3(column, at.yz), 0);
    complex potential = texelFetch(half_singles, ivec3(column, at.y, tile), 0).xy;

    // The value at -kx is the conjugate of that at kx.
    float side = at.x == column ? 1.0 : -1.0;
    pair.yw *= side;
    potential.y *= side;
    float kx = wave_spacing[tile] * float(column) * side;

    // Each i d/dx is a factor i * i kx = -kx.
    if (at.z % FIELD_LAYERS == 0) {
        complex height = pair.xy;
        complex slope_z = pair.zw;
        return value(height - kx * potential, times_i(kx * height + slope_z));
    }
    complex dz = pair.xy;
    complex dzz = pair.zw;
    return value(dz - (kx * dxz_scale[tile].x) * dz, times_i(dzz) - (kx * kx) * potential);
}
