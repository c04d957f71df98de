// The surface of the sea over a point of the still sea, summed over the tiles. Mesh, spray and queries all read it here, so that
// what is looked up lies on what is drawn.
// Defines: those of readings.glsl; BLENDED, 1 (if left out) for both readings of each tile, as the sea is drawn, or 0 for the
//          tiles as they are; POLYNOMIAL, 1 to take Lagrange's polynomials of degree 5 between the samples of level 0, or 0 (if
//          left out) for straight lines between them, and the textures' own filter on further levels.
// Inputs:  those of readings.glsl, and the textures of the fields.

#include "sea/readings.glsl"

#ifndef BLENDED
#define BLENDED 1
#endif
#ifndef POLYNOMIAL
#define POLYNOMIAL 0
#endif

uniform sampler2DArray surface;
uniform sampler2DArray stretch;

struct SeaPoint {
    vec4 surface;   // height, dx, slope_x, slope_z
    vec4 stretch;   // dz, dxz, dxx, dzz
};

const int TAPS = POLYNOMIAL == 1 ? 6 : 2;
const int TAPS_BEFORE = TAPS / 2 - 1;

// Weights of the samples around a place between the two in the middle, at a share of their distance.
void lagrange(float share, out float weights[TAPS]) {
    for (int i = 0; i < TAPS; ++i) {
        float weight = 1.0;
        for (int j = 0; j < TAPS; ++j) {
            if (j != i) weight *= (share + float(TAPS_BEFORE - j)) / float(i - j);
        }
        weights[i] = weight;
    }
}

// Texture units may round their weights to 8 bits: the sea before the eye would lie millimetres off, in terraces.
SeaPoint read_between(vec3 where) {
    int size = textureSize(surface, 0).x;
    vec2 at = where.xy * float(size) - 0.5;
    vec2 whole = floor(at);
    float across[TAPS];
    float down[TAPS];
    lagrange(at.x - whole.x, across);
    lagrange(at.y - whole.y, down);
    ivec2 first = ivec2(mod(whole - float(TAPS_BEFORE), vec2(size)));
    SeaPoint sum = SeaPoint(vec4(0.0), vec4(0.0));
    for (int row = 0; row < TAPS; ++row) {
        SeaPoint line = SeaPoint(vec4(0.0), vec4(0.0));
        for (int column = 0; column < TAPS; ++column) {
            ivec3 texel = ivec3((first + ivec2(column, row)) % size, int(where.z));
            line.surface += across[column] * texelFetch(surface, texel, 0);
            line.stretch += across[column] * texelFetch(stretch, texel, 0);
        }
        sum.surface += down[row] * line.surface;
        sum.stretch += down[row] * line.stretch;
    }
    return sum;
}

SeaPoint read_fields(vec3 where, float level) {
    if (POLYNOMIAL == 1 || level == 0.0) return read_between(where);
    return SeaPoint(textureLod(surface, where, level), textureLod(stretch, where, level));
}

// The fields of the second reading in the axes of the world.
SeaPoint turned(SeaPoint read) {
    vec2 level_move = rotated(vec2(read.surface.y, read.stretch.x));
    vec3 derivatives = rotated_matrix(read.stretch.zwy);
    return SeaPoint(vec4(read.surface.x, level_move.x, rotated(read.surface.zw)), vec4(level_move.y, derivatives.zxy));
}

// The surface made by waves of two samples or more `smallest` metres apart, of the tiles from `first` on; their fields are in
// the layers from first + offset on.
SeaPoint surface_at(vec2 point, float smallest, int first, int count, int offset) {
    SeaPoint sum = SeaPoint(vec4(0.0), vec4(0.0));
    for (int layer = first; layer < first + count; ++layer) {
        // The longest waves of a further tile fit into it six times: they go before the mesh is too coarse for them.
        float kept = layer == first ? 1.0 : clamp(2.0 - 12.0 * smallest / tile[layer], 0.0, 1.0);
        if (kept == 0.0) break;
        float level = max(0.0, log2(max(smallest, 1e-6) / spacing[layer]));
        vec3 to_layer = vec3(0.0, 0.0, float(offset));
        SeaPoint one = read_fields(first_reading(point, layer) + to_layer, level);
#if BLENDED
        SeaPoint other = turned(read_fields(second_reading(point, layer) + to_layer, level));
        vec2 weights = kept * reading_weights(point, layer);
        sum.surface += weights.x * one.surface + weights.y * other.surface;
        sum.stretch += weights.x * one.stretch + weights.y * other.stretch;
#else
        sum.surface += kept * one.surface;
        sum.stretch += kept * one.stretch;
#endif
    }
    return sum;
}

// By how much such waves move a point of one sea, (x, up, z), before choppiness.
vec3 displaced(vec2 point, float smallest) {
    SeaPoint at = surface_at(point, smallest, 0, TILES, 0);
    return vec3(at.surface.y, at.surface.x, at.stretch.x);
}
