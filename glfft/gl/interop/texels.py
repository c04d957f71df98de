"""Copies between textures and buffers by a shader: drivers take much longer (docs/performance.md)."""

import math
from typing import Any

import moderngl
import numpy as np

from glfft.gl import programs
from glfft.gl.barriers import SHADER_IMAGE_ACCESS_BARRIER, SHADER_STORAGE_BARRIER, barrier_before
from glfft.gl.bindings import TARGET_BUFFER_BINDING, TARGET_IMAGE_UNIT, upload_texture_unit
from glfft.gl.context import state_of
from glfft.gl.releasable import release_all
from glfft.gl.textures import Texture, internal_format
from glfft.gl.uniforms import set_uniforms

# Formats of textures that are images too, 1, 2 or 4 channels of dtype "f1", "f2" and "f4" (OpenGL 4.3, table 8.26).
_IMAGES = {0x8229, 0x822B, 0x8058, 0x822D, 0x822F, 0x881A, 0x822E, 0x8230, 0x8814}
# A texture may be an image of any format with as many bytes a texel. Unsigned integers are copied as they are.
_FORMATS = {
    1: ("r8ui", 0x8232),
    2: ("r16ui", 0x8234),
    4: ("r32ui", 0x8236),
    8: ("rg32ui", 0x823C),
    16: ("rgba32ui", 0x8D70),
}
_KINDS = {moderngl.Texture: ("uimage2D", "ivec2"), moderngl.TextureArray: ("uimage2DArray", "ivec3")}
_THREADS = 256
_TRIED = (37, 11, 3)


def can_copy(ctx: moderngl.Context, texture: Texture, buffer: moderngl.Buffer) -> bool:
    """Whether texels are copied right, tried once a kind and context; the last texture unit is bound."""
    state = state_of(ctx)
    unit = upload_texture_unit(state.limits)
    if buffer.size > state.limits.buffer_bytes or internal_format(ctx, texture, unit) not in _IMAGES:
        return False
    kind = (type(texture), texture.components, texture.dtype)
    return state.cache(f"copies {kind}", lambda: _copies_all_bits(ctx, *kind))


def _copies_all_bits(ctx: moderngl.Context, kind: Any, channels: int, dtype: str) -> bool:
    """Whether small textures of a kind are copied as the driver copies them, in both directions."""
    make: Any = {moderngl.Texture: ctx.texture, moderngl.TextureArray: ctx.texture_array}.get(kind, ctx.texture3d)
    size = _TRIED if kind is not moderngl.Texture else _TRIED[:2]
    # No byte is so large that a number is infinite.
    numbers = np.arange(math.prod(size) * channels * int(dtype[-1])) * 37 % 113
    data = numbers.astype(np.uint8).tobytes()
    whole = -(-len(data) // 4) * 4
    source, target = (make(size, channels, dtype=dtype) for _ in range(2))
    # New memory may hold what an earlier trial left there.
    there, back = ctx.buffer(bytes(whole)), ctx.buffer(data.ljust(whole, b"\0"))
    try:
        source.write(data, alignment=1)
        target.write(bytes(len(data)), alignment=1)
        copy_texels(ctx, source, there, to_texture=False)
        copy_texels(ctx, target, back, to_texture=True)
        return there.read(len(data)) == data == target.read(alignment=1)
    finally:
        release_all((source, target, there, back))


def copy_texels(ctx: moderngl.Context, texture: Texture, buffer: moderngl.Buffer, *, to_texture: bool) -> None:
    """Copy a texture's first level from or to a buffer of whole words, with barriers before and after."""
    texel_bytes = texture.components * int(texture.dtype[-1])
    name, number = _FORMATS[texel_bytes]
    kind, place = _KINDS.get(type(texture), ("uimage3D", "ivec3"))
    defines = {"TEXEL_BYTES": texel_bytes, "FORMAT": name, "IMAGE": kind, "PLACE": place}
    units = {"IMAGE_UNIT": TARGET_IMAGE_UNIT, "BUFFER_BINDING": TARGET_BUFFER_BINDING}
    program = programs.compute(ctx, "interop/texels.comp", {**defines, **units, "TO_TEXTURE": int(to_texture)})
    set_uniforms(program, {"size": (*texture.size, 1)[:3]})
    ctx.memory_barrier(SHADER_IMAGE_ACCESS_BARRIER | SHADER_STORAGE_BARRIER)
    texture.bind_to_image(TARGET_IMAGE_UNIT, read=not to_texture, write=to_texture, format=number)
    buffer.bind_to_storage_buffer(TARGET_BUFFER_BINDING)
    groups = -(-math.prod(texture.size) // (_THREADS * max(1, 4 // texel_bytes)))
    across = min(groups, state_of(ctx).limits.group_count[0])
    program.run(across, -(-groups // across))
    ctx.memory_barrier(barrier_before(None, buffer=not to_texture))
