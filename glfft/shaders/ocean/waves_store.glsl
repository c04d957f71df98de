// Where the result of the ocean step's first transform goes: to textures with no room for what is not there.
//
// Outputs: half_pairs    parts 0 and 1 of waves_load.glsl, two layers a tile
//          half_singles  the first half of part 2, a layer a tile

#include "ocean/wave_parts.glsl"

writeonly uniform image2DArray half_pairs;
writeonly uniform image2DArray half_singles;

void store(ivec3 at, value result) {
    int tile = at.z / WAVE_PARTS;
    int part = at.z % WAVE_PARTS;
    if (part < 2) {
        imageStore(half_pairs, ivec3(at.xy, 2 * tile + part), result);
    } else {
        imageStore(half_singles, ivec3(at.xy, tile), vec4(result.xy, 0.0, 0.0));
    }
}
