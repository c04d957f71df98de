// Values read from textures and written to them: column = x, row = y, and in texture arrays and 3-D textures layer or
// plane = z.
//
// Defines:
//   SOURCE_IN_BUFFER, TARGET_IN_BUFFER   1: that end is none
//   SOURCE_TYPE, TARGET_TYPE  of the sampler or image read, and of the image written
//   SOURCE_UNIT, TARGET_UNIT  texture unit or image unit
//   IMAGE_LOADS               1: the source is read as an image, and SOURCE_FORMAT is the format of its texels
//   LAYERED, DEPTH            1: there are layers; defined: there are planes
//   READS_REAL, WRITES_REAL   1: texels hold real numbers, one channel for each complex number of a value
//   PAIRED                    1: a value is two complex numbers
//   SOURCE_REGION, TARGET_REGION   1: that end holds a region only, storage/region.glsl
//   TARGET_ROUNDED            1: `rounded` rounds channels before they are written
//   LOAD_SNIPPET              1: a snippet chooses which texels are read

#if SOURCE_REGION || TARGET_REGION
#include "storage/region.glsl"
#endif

#if !SOURCE_IN_BUFFER
#if IMAGE_LOADS
layout(binding = SOURCE_UNIT, SOURCE_FORMAT) readonly uniform SOURCE_TYPE glfft_source;
#else
layout(binding = SOURCE_UNIT) uniform SOURCE_TYPE glfft_source;
#endif

value read_source(ivec3 at) {
#if SOURCE_REGION
    if (!glfft_in_source(at)) {
        return value(0.0);
    }
    at = glfft_source_place(at);
#endif
#if LAYERED || defined(DEPTH)
    ivec3 place = at;
#else
    ivec2 place = at.xy;
#endif
#if LOAD_SNIPPET || SOURCE_REGION
    // NVIDIA's compiler (580.159) turns a small constant less a coordinate, as in a mirrored picture of a few rows,
    // into a fetch at minus the coordinate with the constant as its offset, and that finds nothing. The maximum hides
    // the difference from it.
    place = max(place, 0);
#endif
#if IMAGE_LOADS
    vec4 texel = imageLoad(glfft_source, place);
#else
    vec4 texel = texelFetch(glfft_source, place, 0);
#endif
#if READS_REAL && PAIRED
    return value(texel.x, 0.0, texel.y, 0.0);
#elif READS_REAL
    return value(texel.x, 0.0);
#else
    return value(texel);
#endif
}
#endif

#if !TARGET_IN_BUFFER
layout(binding = TARGET_UNIT) writeonly uniform TARGET_TYPE glfft_target;

void write_target(ivec3 at, value v) {
#if TARGET_REGION
    if (!glfft_in_target(at)) {
        return;
    }
    at -= TARGET_FIRST;
#endif
#if WRITES_REAL && PAIRED
    vec4 texel = vec4(v.x, v.z, 0.0, 0.0);
#elif WRITES_REAL
    vec4 texel = vec4(v.x, 0.0, 0.0, 0.0);
#elif PAIRED
    vec4 texel = v;
#else
    vec4 texel = vec4(v, 0.0, 0.0);
#endif
#if TARGET_ROUNDED
    texel = rounded(texel);
#endif
#if LAYERED || defined(DEPTH)
    imageStore(glfft_target, at, texel);
#else
    imageStore(glfft_target, at.xy, texel);
#endif
}
#endif
