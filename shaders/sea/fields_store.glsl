// Output of the ocean step's second transform: the fields, in the textures that a renderer samples.
//
// Outputs: surface   (height, dx, slope_x, slope_z), a layer a tile
//          stretch   (dz, dxz, dxx, dzz)

#include "sea/field_layers.glsl"

writeonly uniform image2DArray surface;
writeonly uniform image2DArray stretch;

void store(ivec3 at, value result) {
    ivec3 texel = ivec3(at.xy, at.z / FIELD_LAYERS);
    if (at.z % FIELD_LAYERS == 0) {
        imageStore(surface, texel, result);
    } else {
        result.y *= dxz_scale[texel.z].y;
        imageStore(stretch, texel, result);
    }
}
