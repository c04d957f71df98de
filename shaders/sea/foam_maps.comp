// Makes up to three mipmaps of the stretch texture, and one step of the foam with as many.
//
// The foam f in [0, 1] is the share of the surface that it covers. It decays, grows where the surface is compressed, and
// spreads:
//   df/dt = -f / lifetime + gain * max(0, threshold - least stretch) + spread * Laplacian(f)
// The least stretch is the smaller eigenvalue of the gradient of x + choppiness * D: 1 at rest, 0 where the surface
// begins to fold over. Decay and growth are integrated exactly over the step, so that foam does not depend on the frame rate.
//
// D is the sum over the tiles of a sea. The foam lies on the first of them, and further tiles are repeated over it a whole
// number of times, so that the foam has no seam. That number has no factor in common with the texels of a side: each texel
// of a further tile counts once.
//
// Defines: TILES; LEVELS, how many mipmaps; TEXTURE_UNIT, FOAM_UNIT; IMAGE_UNIT_0 and so on; and those of sea/mipmaps.glsl
// Inputs:  stretch         (dz, dxz, dxx, dzz), level 0
//          foam_before     the coverage of the step before, repeating
//          parts           how many tiles, from this one on, make up the sea whose foam lies on this tile
//          repeats         of a further tile over the first of its sea
//          choppiness      factor on the horizontal displacement
//          threshold       of the foam's growth
//          rates           exp(-step / lifetime); gain * lifetime * (1 - that); 4 * spread * step / spacing², at most 1/2
// Outputs: stretch1 .. stretch3   its levels 1 to 3
//          foam0 .. foam3         the coverage, levels 0 to 3

#include "sea/mipmaps.glsl"

layout(binding = TEXTURE_UNIT) uniform sampler2DArray stretch;
layout(binding = FOAM_UNIT) uniform sampler2DArray foam_before;
layout(binding = IMAGE_UNIT_0) writeonly uniform image2DArray stretch1;
layout(binding = IMAGE_UNIT_1) writeonly uniform image2DArray stretch2;
layout(binding = IMAGE_UNIT_2) writeonly uniform image2DArray stretch3;
layout(binding = IMAGE_UNIT_3) writeonly uniform image2DArray foam0;
layout(binding = IMAGE_UNIT_4) writeonly uniform image2DArray foam1;
layout(binding = IMAGE_UNIT_5) writeonly uniform image2DArray foam2;
layout(binding = IMAGE_UNIT_6) writeonly uniform image2DArray foam3;

uniform int parts[TILES];
uniform int repeats[TILES];
uniform float choppiness[TILES];
uniform float threshold[TILES];
uniform vec3 rates[TILES];

// The foam of the 2 x 2 texels from `fine` on after spreading: (0, 0), (1, 0), (0, 1), (1, 1).
vec4 spread_foam(ivec3 fine, float mixed) {
    // Four gathers around the block's corners hold it and all its neighbours. A gather has (left, upper), (right, upper),
    // (right, lower), (left, lower), upper being the larger row.
    vec2 size = vec2(textureSize(foam_before, 0).xy);
    vec2 low = vec2(fine.xy) / size;
    vec2 high = vec2(fine.xy + 2) / size;
    vec4 a = textureGather(foam_before, vec3(low, fine.z));
    vec4 b = textureGather(foam_before, vec3(high.x, low.y, fine.z));
    vec4 c = textureGather(foam_before, vec3(low.x, high.y, fine.z));
    vec4 d = textureGather(foam_before, vec3(high, fine.z));
    vec4 block = vec4(a.y, b.x, c.z, d.w);
    vec4 around = vec4(a.x, a.y, c.w, c.z) + vec4(b.x, b.y, d.w, d.z)
                + vec4(a.z, b.w, a.y, b.x) + vec4(c.z, d.w, c.y, d.x);
    return mix(block, 0.25 * around, mixed);
}

float least_stretch(vec4 point, float choppy) {
    float dxz = point.y;
    float dxx = point.z;
    float dzz = point.w;
    return 1.0 + choppy * (0.5 * (dxx + dzz) - length(vec2(0.5 * (dxx - dzz), dxz)));
}

void main() {
    ivec3 coarse = coarse_texel(1);
    int tile = coarse.z;
    ivec3 first = ivec3(2 * coarse.xy, tile);
    vec4 before = spread_foam(first, rates[tile].z);
    int size = textureSize(stretch, 0).x;
    vec4 fields = vec4(0.0);
    vec4 foam = vec4(0.0);
    for (int i = 0; i < 4 && makes_texel(1); ++i) {
        ivec3 fine = first + ivec3(i & 1, i >> 1, 0);
        vec4 point = texelFetch(stretch, fine, 0);
        vec4 whole = point;
        for (int part = tile + 1; part < tile + parts[tile]; ++part) {
            whole += texelFetch(stretch, ivec3(fine.xy * repeats[part] % size, part), 0);
        }
        float squeezed = max(0.0, threshold[tile] - least_stretch(whole, choppiness[tile]));
        float cover = clamp(before[i] * rates[tile].x + rates[tile].y * squeezed, 0.0, 1.0);
        imageStore(foam0, fine, vec4(cover, 0.0, 0.0, 0.0));
        fields += 0.25 * point;
        foam += 0.25 * vec4(cover, 0.0, 0.0, 0.0);
    }
    if (makes_texel(1)) {
        imageStore(stretch1, coarse, fields);
        imageStore(foam1, coarse, foam);
    }

#if LEVELS > 1
    fields = coarser_mean(fields, 2);
    foam = coarser_mean(foam, 2);
    if (makes_texel(2)) {
        imageStore(stretch2, coarse_texel(2), fields);
        imageStore(foam2, coarse_texel(2), foam);
    }
#endif

#if LEVELS > 2
    fields = coarser_mean(fields, 3);
    foam = coarser_mean(foam, 3);
    if (makes_texel(3)) {
        imageStore(stretch3, coarse_texel(3), fields);
        imageStore(foam3, coarse_texel(3), foam);
    }
#endif
}
