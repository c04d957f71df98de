"""Buffers seen as textures: shaders fetch what is in them, and they go when their buffers do."""

from __future__ import annotations

import gc

import moderngl
import numpy as np
import pytest
from support.gl_objects import live_objects

from glfft.gl.context import state_of
from glfft.gl.textures import BufferTextures, buffer_textures

_UNIT = 3
_COPY = """
#version 430
layout(local_size_x = 1) in;
layout(binding = 3) uniform samplerBuffer source;
layout(std430, binding = 0) writeonly buffer Target { vec4 target[]; };
void main() {
    target[gl_GlobalInvocationID.x] = texelFetch(source, int(gl_GlobalInvocationID.x));
}
"""


_BYTES = """
#version 430
layout(local_size_x = 1) in;
layout(rg8i, binding = 2) writeonly uniform iimageBuffer pairs;
void main() {
    int at = int(gl_GlobalInvocationID.x);
    imageStore(pairs, at, ivec4(at - 4, -at, 0, 0));
}
"""


def fetched(ctx: moderngl.Context, textures: BufferTextures, buffer: moderngl.Buffer, channels: int) -> np.ndarray:
    """All texels of a buffer, as a shader sees them."""
    texels = buffer.size // (4 * channels)
    target, program = ctx.buffer(reserve=16 * texels), ctx.compute_shader(_COPY)
    textures.use(buffer, channels, _UNIT)
    target.bind_to_storage_buffer(0)
    program.run(texels)
    ctx.memory_barrier()
    seen = np.frombuffer(target.read(), "f4").reshape(-1, 4)[:, :channels]
    for made in (target, program):
        made.release()
    return seen


@pytest.mark.parametrize("channels", [1, 2, 4])
def test_shaders_fetch_what_is_in_a_buffer(ctx: moderngl.Context, channels: int) -> None:
    numbers = np.random.default_rng(channels).standard_normal(48).astype("f4")
    buffer = ctx.buffer(numbers.tobytes())
    textures = buffer_textures(ctx)
    assert np.array_equal(fetched(ctx, textures, buffer, channels).ravel(), numbers)
    buffer.write(numbers[::-1].tobytes())
    assert np.array_equal(fetched(ctx, textures, buffer, channels).ravel(), numbers[::-1])
    # Other memory, of another size.
    buffer.orphan(2 * buffer.size)
    buffer.write(np.tile(numbers, 2).tobytes())
    assert np.array_equal(fetched(ctx, textures, buffer, channels).ravel(), np.tile(numbers, 2))
    buffer.release()


@pytest.mark.usefixtures("freed_by_glfft_alone")
@pytest.mark.parametrize("by", ["letting go", "releasing"])
def test_they_go_with_their_buffers(ctx: moderngl.Context, by: str) -> None:
    textures = BufferTextures(ctx)
    kept = ctx.buffer(reserve=64)
    textures.use(kept, 2, _UNIT)
    before = live_objects(ctx)["Texture"]
    buffers = [ctx.buffer(reserve=64) for _ in range(3)]
    for index in range(3):
        for channels in (2, 4, 2):
            textures.use(buffers[index], channels, _UNIT)
    assert live_objects(ctx)["Texture"] == before + 6
    for index in range(3):
        buffers[index].release()
    if by == "letting go":
        buffers.clear()
        gc.collect()
        state_of(ctx).release_dropped()
    else:
        # Noticed when the next one is made.
        another = ctx.buffer(reserve=64)
        textures.use(another, 1, _UNIT)
        before += 1
    assert live_objects(ctx)["Texture"] == before
    textures.use(kept, 2, _UNIT)
    assert live_objects(ctx)["Texture"] == before


def test_shaders_write_pairs_of_bytes_side_by_side(ctx: moderngl.Context) -> None:
    buffer, program = ctx.buffer(reserve=16), ctx.compute_shader(_BYTES)
    buffer.write(bytes([99] * 16))
    buffer_textures(ctx).use_for_pairs_of_bytes(buffer, 2)
    program.run(7)
    ctx.memory_barrier()
    written = np.frombuffer(buffer.read(), "i1").reshape(-1, 2)
    assert written[:7].tolist() == [[at - 4, -at] for at in range(7)]
    assert written[7].tolist() == [99, 99]
    for made in (buffer, program):
        made.release()
