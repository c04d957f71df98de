// The place of a texel of one layer, in a texture array or in a 2-D texture.
//
// Defines: LAYERED  1: there are layers

#if LAYERED
#define in_layer(place, layer) ivec3(place, layer)
#else
#define in_layer(place, layer) (place)
#endif
