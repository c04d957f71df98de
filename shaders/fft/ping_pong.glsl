// A transform whose stages load from one image and store to the other, in turn: what these shaders share. The first stage
// loads where the transform's input comes from, and the last one stores where its output goes.
// Mota, High Performance Fourier Transforms on GPUs, section 5.3 and listing 5.1.
//
// Defines:
//   THREADS     invocations of a work group, which has one line
//   STAGES      of a line
//   LENGTH, DIRECTION, SCALE
//   LAYERED     1: the images are texture arrays; where DEPTH is defined they are 3-D textures
//   PING_PONG_FORMAT, PING_PONG_UNIT   of the images, which hold every point of every line; the second has the next unit
// Inputs, outputs: common/line_access.glsl, common/twiddle.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
#include "common/value.glsl"
#include "common/twiddle.glsl"
#include "common/integers.glsl"
#include "common/powers_of_two.glsl"

#if defined(DEPTH)
#define ping_pong_image image3D
#define ping_pong_place(at) (at)
#elif LAYERED
#define ping_pong_image image2DArray
#define ping_pong_place(at) (at)
#else
#define ping_pong_image image2D
#define ping_pong_place(at) (at).xy
#endif

// pingpong0 and pingpong1 of the listings; an index takes the place of their `if`. Coherent: what one invocation stores,
// others load. The first may be the target's texture too, and neither is restrict.
layout(binding = PING_PONG_UNIT, PING_PONG_FORMAT) coherent uniform ping_pong_image glfft_pingpong[2];

// A point of this work group's line. Even stages load from the first image, odd ones from the second.
value load_stage(int stage, int position) {
    ivec3 at = texel(position, int(gl_WorkGroupID.x), int(gl_WorkGroupID.y));
    if (stage == 0) {
        return load_point(position, int(gl_WorkGroupID.x), int(gl_WorkGroupID.y));
    }
    return value_of(imageLoad(glfft_pingpong[remainder(stage, 2)], ping_pong_place(at)));
}

// Even stages store to the second image, odd ones to the first.
void store_stage(int stage, int position, value v) {
    ivec3 at = texel(position, int(gl_WorkGroupID.x), int(gl_WorkGroupID.y));
    if (stage == STAGES - 1) {
        store_point(position, int(gl_WorkGroupID.x), int(gl_WorkGroupID.y), v);
    } else {
        imageStore(glfft_pingpong[remainder(stage + 1, 2)], ping_pong_place(at), channels_of(v));
    }
}
