"""What moderngl does not tell of a texture is asked of the driver."""

from __future__ import annotations

import moderngl
import pytest

from glfft.gl.textures import Completeness, base_level, has_mipmaps, internal_format, is_swizzled

UNIT = 3
RG32F, RGBA16F = 0x8230, 0x881A


def test_formats_are_those_the_driver_keeps(ctx: moderngl.Context) -> None:
    flat, layered = ctx.texture((8, 4), 2, dtype="f4"), ctx.texture_array((8, 4, 2), 4, dtype="f2")
    assert internal_format(ctx, flat, UNIT) == RG32F
    assert internal_format(ctx, layered, UNIT) == RGBA16F
    flat.release()
    layered.release()


def test_a_swizzle_and_a_first_mipmap_are_seen(ctx: moderngl.Context) -> None:
    texture = ctx.texture((8, 8), 2, dtype="f4")
    assert not is_swizzled(ctx, texture, UNIT)
    texture.swizzle = "GRBA"
    assert is_swizzled(ctx, texture, UNIT)
    texture.build_mipmaps()
    assert base_level(ctx, texture, UNIT) == 0
    texture.build_mipmaps(base=2)
    assert base_level(ctx, texture, UNIT) == 2
    texture.release()


@pytest.mark.parametrize("layers", [None, 3])
def test_a_texture_is_complete_once_it_has_the_mipmaps_of_its_filter(ctx: moderngl.Context, layers: int | None) -> None:
    texture = ctx.texture((8, 4), 2, dtype="f4") if layers is None else ctx.texture_array((8, 4, layers), 2, dtype="f4")
    completeness = Completeness(ctx, UNIT)
    for without in (moderngl.NEAREST, moderngl.LINEAR):
        texture.filter = (without, moderngl.LINEAR)
        assert completeness.of(texture)
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    assert not has_mipmaps(ctx, texture, UNIT)
    assert not completeness.of(texture)
    texture.build_mipmaps()
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    assert has_mipmaps(ctx, texture, UNIT)
    assert completeness.of(texture)
    texture.release()


def test_one_texel_needs_no_mipmaps(ctx: moderngl.Context) -> None:
    texture = ctx.texture((1, 1), 2, dtype="f4")
    texture.filter = (moderngl.NEAREST_MIPMAP_NEAREST, moderngl.NEAREST)
    assert Completeness(ctx, UNIT).of(texture)
    texture.release()
