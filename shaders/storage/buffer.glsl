// Values read from buffers and written to them, row by row, layer by layer, as in a C-ordered array [layers, rows,
// columns], or of volumes [layers, depth, rows, columns].
//
// Defines:
//   SOURCE_IN_BUFFER, TARGET_IN_BUFFER   0: that end is none
//   SOURCE_ROWS, SOURCE_COLUMNS, TARGET_ROWS, TARGET_COLUMNS   of a layer
//   DEPTH, SOURCE_DEPTH, TARGET_DEPTH    of volumes
//   SOURCE_UNIT, TARGET_UNIT             buffer bindings
//   FETCHES_BUFFER            1: SOURCE_UNIT is a texture unit, and the source is read through a buffer texture. Its
//                             stores then need no more than a barrier for texture fetches, which on NVIDIA's GPUs takes
//                             less time than one for shader storage
//   READS_REAL, WRITES_REAL   1: real numbers, one for each complex number of a value
//   PAIRED                    1: a value is two complex numbers
//   STORES_DOUBLES            1: floats are stored two by two, as value_as_doubles, storage/doubles.glsl
//   SOURCE_REGION, TARGET_REGION   1: that end holds a region only, storage/region.glsl

#if (READS_REAL || WRITES_REAL) && PAIRED
#define real_value vec2
#elif READS_REAL || WRITES_REAL
#define real_value float
#endif

#if SOURCE_REGION || TARGET_REGION
#include "storage/region.glsl"
#endif

#ifdef DEPTH
// A place counts DEPTH planes a layer, also where fewer are kept: half the spectrum of real lines along z.
int plane_of(int z, int depth) {
    return depth == DEPTH ? z : z / DEPTH * depth + z % DEPTH;
}
#endif

#if SOURCE_IN_BUFFER
#if FETCHES_BUFFER
layout(binding = SOURCE_UNIT) uniform samplerBuffer glfft_source;
#elif READS_REAL
// Not restrict: source and target may be one buffer.
layout(std430, binding = SOURCE_UNIT) readonly buffer GlfftSource { real_value glfft_source[]; };
#else
// Not restrict: source and target may be one buffer.
layout(std430, binding = SOURCE_UNIT) readonly buffer GlfftSource { value glfft_source[]; };
#endif

int source_element(ivec3 at) {
#ifdef DEPTH
    at.z = plane_of(at.z, SOURCE_DEPTH);
#endif
    return (at.z * SOURCE_ROWS + at.y) * SOURCE_COLUMNS + at.x;
}

value read_source(ivec3 at) {
#if SOURCE_REGION
    if (!glfft_in_source(at)) {
        return value(0.0);
    }
    at = glfft_source_place(at);
#endif
    int element = source_element(at);
#if FETCHES_BUFFER
    vec4 texel = texelFetch(glfft_source, element);
#endif
#if FETCHES_BUFFER && READS_REAL && PAIRED
    return value(texel.x, 0.0, texel.y, 0.0);
#elif FETCHES_BUFFER && READS_REAL
    return value(texel.x, 0.0);
#elif FETCHES_BUFFER
    return value(texel);
#elif READS_REAL && PAIRED
    return value(glfft_source[element].x, 0.0, glfft_source[element].y, 0.0);
#elif READS_REAL
    return value(glfft_source[element], 0.0);
#else
    return glfft_source[element];
#endif
}
#endif

#if TARGET_IN_BUFFER
#if WRITES_REAL
// Not restrict: source and target may be one buffer.
layout(std430, binding = TARGET_UNIT) writeonly buffer GlfftTarget { real_value glfft_target[]; };
#elif STORES_DOUBLES
#include "storage/doubles.glsl"
layout(std430, binding = TARGET_UNIT) writeonly buffer GlfftTarget { value_as_doubles glfft_target[]; };
#else
// Not restrict: source and target may be one buffer.
layout(std430, binding = TARGET_UNIT) writeonly buffer GlfftTarget { value glfft_target[]; };
#endif

int target_element(ivec3 at) {
#ifdef DEPTH
    at.z = plane_of(at.z, TARGET_DEPTH);
#endif
    return (at.z * TARGET_ROWS + at.y) * TARGET_COLUMNS + at.x;
}

void write_target(ivec3 at, value v) {
#if TARGET_REGION
    if (!glfft_in_target(at)) {
        return;
    }
    at -= TARGET_FIRST;
#endif
#if WRITES_REAL && PAIRED
    glfft_target[target_element(at)] = v.xz;
#elif WRITES_REAL
    glfft_target[target_element(at)] = v.x;
#elif STORES_DOUBLES
    glfft_target[target_element(at)] = as_doubles(v);
#else
    glfft_target[target_element(at)] = v;
#endif
}
#endif
