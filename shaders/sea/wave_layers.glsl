// The layers of the ocean step's first plan, three for each tile: see waves_load.glsl.
//
// Defines: LAYERS of the plan

const int WAVE_LAYERS = 3;
const int WAVE_TILES = LAYERS / WAVE_LAYERS;
