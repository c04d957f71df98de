// A transform whose stages load from one image and store to the other, in turn: what these shaders share. The first stage
// loads where the transform's input comes from, and the last one stores where its output goes.
// Mota, High Performance Fourier Transforms on GPUs, section 5.3 and listing 5.1.
//
// Defines:
//   THREADS     invocations of a work group, which has one line
//   STAGES      of a line
//   LENGTH, DIRECTION, SCALE
//   LAYERED     1: the images are texture arrays; where DEPTH is defined they are 3-D textures
//   PING_PONG_FORMAT, PING_PONG_UNIT_0, PING_PONG_UNIT_1   of the images, which hold every point of every line
// Inputs, outputs: common/line_access.glsl, common/twiddle.glsl

layout(local_size_x = THREADS) in;

#include "common/line_access.glsl"
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

// Coherent: what one invocation stores, others load. The first may be the target's texture too, and neither is restrict.
layout(binding = PING_PONG_UNIT_0, PING_PONG_FORMAT) coherent uniform ping_pong_image glfft_pingpong0;
layout(binding = PING_PONG_UNIT_1, PING_PONG_FORMAT) coherent uniform ping_pong_image glfft_pingpong1;

// A point of this work group's line. Even stages load from glfft_pingpong0, odd ones from glfft_pingpong1.
value load_stage(int stage, int position) {
    ivec3 at = texel(position, int(gl_WorkGroupID.x), int(gl_WorkGroupID.y));
    if (stage == 0) {
        return load_point(position, int(gl_WorkGroupID.x), int(gl_WorkGroupID.y));
    }
    bool even = remainder(stage, 2) == 0;
    return value_of(even ? imageLoad(glfft_pingpong0, ping_pong_place(at)) : imageLoad(glfft_pingpong1, ping_pong_place(at)));
}

// Even stages store to glfft_pingpong1, odd ones to glfft_pingpong0.
void store_stage(int stage, int position, value v) {
    ivec3 at = texel(position, int(gl_WorkGroupID.x), int(gl_WorkGroupID.y));
    if (stage == STAGES - 1) {
        store_point(position, int(gl_WorkGroupID.x), int(gl_WorkGroupID.y), v);
    } else if (remainder(stage, 2) == 0) {
        imageStore(glfft_pingpong1, ping_pong_place(at), channels_of(v));
    } else {
        imageStore(glfft_pingpong0, ping_pong_place(at), channels_of(v));
    }
}
