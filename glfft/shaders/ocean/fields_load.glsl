// What the ocean step's second transform, along x, is of: eight real fields, two to a complex number.
//
// Where A and B are spectra of real fields, the inverse transform of A + i B has one as its real part and the other as its
// imaginary part. Rounding errors follow the larger of the two, so partners should be of like magnitude: dxz, which is left
// over for dz, is raised to it by a power of two.
//
// Parts:   a tile has two layers, 0: (height + i dx, slope_x + i slope_z), 1: (dz + i dxz * dxz_scale, dxx + i dzz)
// Inputs:  half_pairs, half_singles   what waves_store.glsl left: column = kx from 0 to N/2 - 1, row = z
//          wave_spacing               2 pi / tile, rad/m

#include "common/complex.glsl"
#include "ocean/field_parts.glsl"

uniform sampler2DArray half_pairs;
uniform sampler2DArray half_singles;
uniform float wave_spacing[FIELD_TILES];

// The fetches stand outside all branches, so that a thread can wait for those of all its points at once.
value load(ivec3 at) {
    int tile = at.z / FIELD_PARTS;
    int column = min(at.x, COLUMNS - at.x);
    int kept = min(column, COLUMNS / 2 - 1);
    vec4 pair = texelFetch(half_pairs, ivec3(kept, at.yz), 0);
    complex potential = texelFetch(half_singles, ivec3(kept, at.y, tile), 0).xy;

    // At -kx stand the conjugates of what is at kx, and nothing in the Nyquist column.
    float side = at.x == column ? 1.0 : -1.0;
    float inside = column == kept ? 1.0 : 0.0;
    pair *= vec2(inside, inside * side).xyxy;
    potential *= vec2(inside, inside * side);
    float kx = wave_spacing[tile] * float(column) * side;

    // Each i d/dx is a factor i * i kx = -kx.
    if (at.z % FIELD_PARTS == 0) {
        complex height = pair.xy;
        complex slope_z = pair.zw;
        return value(height - kx * potential, times_i(kx * height + slope_z));
    }
    complex dz = pair.xy;
    complex dzz = pair.zw;
    return value(dz - (kx * dxz_scale[tile].x) * dz, times_i(dzz) - (kx * kx) * potential);
}
