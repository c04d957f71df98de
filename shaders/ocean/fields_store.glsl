// Where the fields of the ocean step go: to the textures a renderer samples; and one step of the foam's memory.
//
// The foam f in [0, 1] is the part of the surface covered. It decays, grows where the surface is squeezed together, and spreads:
//   df/dt = -f / lifetime + gain * max(0, threshold - least stretch) + spread * Laplacian(f)
// The least stretch is the smaller eigenvalue of the gradient of x + choppiness * D: 1 at rest, 0 where the surface
// folds over. Decay and growth are integrated exactly over the step, so that foam does not depend on the frame rate.
//
// Inputs:  foam_before     the coverage of the step before, a layer a tile
//          choppiness      factor on the horizontal displacement
//          foam_kept       exp(-step / lifetime)
//          foam_grown      gain * lifetime * (1 - foam_kept)
//          foam_mixed      4 * spread * step / spacing², at most 1/2
//          foam_threshold
// Outputs: surface         (height, dx, slope_x, slope_z)
//          stretch         (dz, dxz, dxx, dzz)
//          slope_products  (slope_x², slope_z², slope_x slope_z): averaged in mipmaps, they give the variance of the slopes
//                          that a pixel no longer resolves
//          foam_after
//          None of them contains the choppiness, save through the foam.

#include "ocean/field_parts.glsl"

uniform sampler2DArray foam_before;

writeonly uniform image2DArray surface;
writeonly uniform image2DArray stretch;
writeonly uniform image2DArray slope_products;
writeonly uniform image2DArray foam_after;

uniform float choppiness[FIELD_TILES];
uniform float foam_kept[FIELD_TILES];
uniform float foam_grown[FIELD_TILES];
uniform float foam_mixed[FIELD_TILES];
uniform float foam_threshold[FIELD_TILES];

float foam_at(ivec2 index, int tile) {
    return texelFetch(foam_before, ivec3(index & ivec2(COLUMNS - 1, ROWS - 1), tile), 0).x;
}

float spread_foam(ivec2 index, int tile) {
    float around = foam_at(index + ivec2(1, 0), tile) + foam_at(index - ivec2(1, 0), tile)
                 + foam_at(index + ivec2(0, 1), tile) + foam_at(index - ivec2(0, 1), tile);
    return mix(foam_at(index, tile), 0.25 * around, foam_mixed[tile]);
}

float least_stretch(float dxx, float dzz, float dxz, float choppy) {
    return 1.0 + choppy * (0.5 * (dxx + dzz) - length(vec2(0.5 * (dxx - dzz), dxz)));
}

void store(ivec3 at, value result) {
    int tile = at.z / FIELD_PARTS;
    ivec3 point = ivec3(at.xy, tile);
    if (at.z % FIELD_PARTS == 0) {
        imageStore(surface, point, result);
        imageStore(slope_products, point, vec4(result.zw * result.zw, result.z * result.w, 0.0));
    } else {
        result.y /= dxz_scale[tile];
        float squeezed = max(0.0, foam_threshold[tile] - least_stretch(result.z, result.w, result.y, choppiness[tile]));
        float foam = clamp(spread_foam(at.xy, tile) * foam_kept[tile] + foam_grown[tile] * squeezed, 0.0, 1.0);
        imageStore(stretch, point, result);
        imageStore(foam_after, point, vec4(foam, 0.0, 0.0, 0.0));
    }
}
