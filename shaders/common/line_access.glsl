// One line of a picture as a sequence: the only place that knows whether lines are rows or columns.
//
// Defines:
//   AXIS                    1: a line is a row of texels (positions along x); 0: a column (positions along y)
//   SCALE                   factor on every value stored: the transform's normalisation (a constant or a uniform)
//   ROWS, COLUMNS, LAYERS   of the picture
// Generated:
//   generated/storage.glsl  value read_source(ivec3 at), void write_target(ivec3 at, value v);
//                           at = (column, row, layer)
//   generated/load.glsl     value load(ivec3 at): where a transform's input comes from
//   generated/store.glsl    void store(ivec3 at, value result): where its output goes

#include "generated/storage.glsl"
#include "generated/load.glsl"
#include "generated/store.glsl"

ivec3 texel(int position, int line, int layer) {
    return AXIS == 1 ? ivec3(position, line, layer) : ivec3(line, position, layer);
}

value load_point(int position, int line, int layer) {
    return load(texel(position, line, layer));
}

void store_point(int position, int line, int layer, value v) {
    store(texel(position, line, layer), v * float(SCALE));
}
