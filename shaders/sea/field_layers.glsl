// The layers of the ocean step's second plan, two for each tile, each of four real fields: see fields_load.glsl.
//
// Defines: LAYERS of the plan
// Inputs:  dxz_scale   factor on dxz before the transform, a power of two in metres; and the factor after it, its inverse

const int FIELD_LAYERS = 2;
const int FIELD_TILES = LAYERS / FIELD_LAYERS;

uniform vec2 dxz_scale[FIELD_TILES];
