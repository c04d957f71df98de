// Output of the ocean step's first transform. The second half of layer 2 is empty, and is not stored.
//
// Outputs: half_pairs    layers 0 and 1 of waves_load.glsl, two layers a tile
//          half_singles  the first half of layer 2, a layer a tile

#include "sea/wave_layers.glsl"

writeonly uniform image2DArray half_pairs;
writeonly uniform image2DArray half_singles;

void store(ivec3 at, value result) {
    int tile = at.z / WAVE_LAYERS;
    int layer = at.z % WAVE_LAYERS;
    if (layer < 2) {
        imageStore(half_pairs, ivec3(at.xy, 2 * tile + layer), result);
    } else {
        imageStore(half_singles, ivec3(at.xy, tile), vec4(result.xy, 0.0, 0.0));
    }
}
