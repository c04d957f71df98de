// The layers of the ocean step's second plan: two a tile, each of four real fields, see fields_load.glsl.
//
// Defines: LAYERS of the plan
// Inputs:  dxz_scale   metres, a power of two: what dxz is multiplied by on its way through the transform; and its inverse

const int FIELD_PARTS = 2;
const int FIELD_TILES = LAYERS / FIELD_PARTS;

uniform vec2 dxz_scale[FIELD_TILES];
