// What reading and writing buffers share: a real_value is the real numbers of a value.
//
// Defines: DEPTH  planes of a volume; not defined for pictures

#include "common/value.glsl"

#if PAIRED
#define real_value vec2
#else
#define real_value float
#endif

#ifdef DEPTH
// A place counts DEPTH planes a layer, also where fewer are kept: half the spectrum of real lines along z.
int plane_of(int z, int depth) {
    return depth == DEPTH ? z : z / DEPTH * depth + z % DEPTH;
}
#else
#define plane_of(z, depth) z
#endif
