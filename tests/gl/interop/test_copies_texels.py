"""Copies of texels by a shader: every bit of every format and shape, and nothing beyond them."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest

from glfft.gl.context import state_of
from glfft.gl.interop import copies
from glfft.gl.interop.copies import can_copy, copy_texels

RNG = np.random.default_rng(3)
GUARD = b"\xab" * 32


def _made(ctx: moderngl.Context, size: tuple[int, ...], layered: bool, channels: int, dtype: str) -> Any:
    make: Any = ctx.texture if len(size) == 2 else ctx.texture_array if layered else ctx.texture3d
    return make(size, channels, dtype=dtype)


_FORMATS = [(channels, dtype) for channels in (1, 2, 4) for dtype in ("f1", "f2", "f4")]
# Pictures of every format and size. Layers and volumes, whose texels are copied likewise, have each number of channels
# and each type once: every format is another shader to compile.
_PICTURES = [((5, 3), False), ((1, 1), False), ((257, 3), False)]
_CASES = [
    *((*picture, *each) for each in _FORMATS for picture in _PICTURES),
    *(((5, 3, 7), True, *each) for each in _FORMATS[::4]),
    *(((3, 5, 2), False, *each) for each in (_FORMATS[1], _FORMATS[5], _FORMATS[6])),
]


@pytest.mark.parametrize(("size", "layered", "channels", "dtype"), _CASES)
def test_bits_stay(ctx: moderngl.Context, size: tuple[int, ...], layered: bool, channels: int, dtype: str) -> None:
    # Random bits, among them those of NaN and of numbers below the smallest normal one.
    data = RNG.bytes(int(np.prod(size)) * channels * int(dtype[1]))
    source, target = (_made(ctx, size, layered, channels, dtype) for _ in range(2))
    whole = -(-len(data) // 4) * 4
    buffer = ctx.buffer(data.ljust(whole, b"\0") + GUARD)
    assert can_copy(ctx, source, buffer)
    copy_texels(ctx, source, buffer, to_texture=True)
    filled = ctx.buffer(b"\xff" * whole + GUARD)
    copy_texels(ctx, source, filled, to_texture=False)
    found = filled.read()
    assert found[: len(data)] == data
    assert found[whole:] == GUARD
    copy_texels(ctx, target, filled, to_texture=True)
    copy_texels(ctx, target, buffer, to_texture=False)
    assert buffer.read(len(data)) == data
    for each in (source, target, buffer, filled):
        each.release()


def test_drivers_read_what_was_copied(ctx: moderngl.Context) -> None:
    data = RNG.random((3, 5, 2), np.float32).tobytes()
    texture, buffer = ctx.texture((5, 3), 2, dtype="f4"), ctx.buffer(data)
    texture.swizzle = "GR01"
    copy_texels(ctx, texture, buffer, to_texture=True)
    assert texture.read() == data
    for each in (texture, buffer):
        each.release()


def test_other_formats_are_left_to_the_driver(ctx: moderngl.Context) -> None:
    buffer = ctx.buffer(reserve=64)
    for texture in (
        ctx.texture((2, 2), 3),
        ctx.texture((2, 2), 4, internal_format=0x8C43),
        ctx.depth_texture((2, 2)),
        ctx.texture((2, 2), 1, dtype="u4"),
    ):
        assert not can_copy(ctx, texture, buffer)
        texture.release()
    buffer.release()


@pytest.mark.parametrize("direction", [True, False])
def test_a_shader_that_copies_wrongly_is_left_alone(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, direction: bool
) -> None:
    texture, buffer = ctx.texture((3, 2), 2, dtype="f4"), ctx.buffer(reserve=48)
    key = f"copies {(moderngl.Texture, 2, 'f4')}"
    caches = state_of(ctx).caches
    kept = caches.pop(key, None)

    def copy(*given: Any, to_texture: bool) -> None:
        if to_texture != direction:
            copy_texels(*given, to_texture=to_texture)

    monkeypatch.setattr(copies, "copy_texels", copy)
    assert not can_copy(ctx, texture, buffer)
    caches.pop(key)
    monkeypatch.undo()
    assert can_copy(ctx, texture, buffer)
    assert kept in (None, True)
    texture.release()
    buffer.release()
