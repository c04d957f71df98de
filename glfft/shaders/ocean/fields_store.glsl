// Where the fields of the ocean step go: to the textures a renderer samples.
//
// Outputs: surface   (height, dx, slope_x, slope_z), a layer a tile
//          stretch   (dz, dxz, dxx, dzz)

#include "ocean/field_parts.glsl"

writeonly uniform image2DArray surface;
writeonly uniform image2DArray stretch;

void store(ivec3 at, value result) {
    ivec3 point = ivec3(at.xy, at.z / FIELD_PARTS);
    if (at.z % FIELD_PARTS == 0) {
        imageStore(surface, point, result);
    } else {
        result.y *= dxz_scale[point.z].y;
        imageStore(stretch, point, result);
    }
}
