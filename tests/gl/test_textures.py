"""What moderngl does not tell of a texture is asked of the driver, and mipmaps are made without filling them."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from glfft.gl.context import functions_of
from glfft.gl.textures import (
    Completeness,
    allocate_mipmaps,
    base_level,
    fill,
    has_mipmaps,
    internal_format,
    is_swizzled,
)

UNIT = 3
RG32F, RGBA16F = 0x8230, 0x881A

_PREAMBLE = """#version 430
layout(local_size_x = 1) in;
"""
_FILL = """
layout(binding = 0, rg32f) writeonly uniform image2DArray level;
uniform vec2 value;
void main() {
    imageStore(level, ivec3(gl_GlobalInvocationID), vec4(value, 0.0, 0.0));
}
"""
_FETCH = """
layout(binding = 0, std430) writeonly buffer Found { vec2 found[]; };
uniform sampler2DArray found_in;
uniform int layer;
void main() {
    int level = int(gl_GlobalInvocationID.x);
    found[level] = texelFetch(found_in, ivec3(textureSize(found_in, level).xy - 1, layer), level).xy;
}
"""


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


def test_a_first_mipmap_is_asked_for_again_once_a_filter_shows_another(ctx: moderngl.Context) -> None:
    texture, completeness = ctx.texture((8, 4), 2, dtype="f4"), Completeness(ctx, UNIT)
    assert completeness.begins_at_first(texture)
    texture.build_mipmaps()
    texture.build_mipmaps(base=1)
    assert not completeness.begins_at_first(texture)
    texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
    assert not completeness.begins_at_first(texture)
    texture.build_mipmaps()
    assert completeness.begins_at_first(texture)
    texture.release()


def test_one_texel_needs_no_mipmaps(ctx: moderngl.Context) -> None:
    texture = ctx.texture((1, 1), 2, dtype="f4")
    texture.filter = (moderngl.NEAREST_MIPMAP_NEAREST, moderngl.NEAREST)
    assert Completeness(ctx, UNIT).of(texture)
    texture.release()


@pytest.mark.parametrize("size", [(8, 8, 3), (12, 5, 1), (1, 2, 2)])
def test_mipmaps_to_fill_have_the_format_and_take_what_is_stored(ctx: moderngl.Context, size: tuple[int, ...]) -> None:
    """Down to one texel, whose value a fetch finds."""
    width, height, layers = size
    texture = ctx.texture_array((width, height, layers), 2, dtype="f4")
    allocate_mipmaps(ctx, texture)
    assert internal_format(ctx, texture, UNIT) == RG32F
    last = max(width, height).bit_length() - 1
    found = ctx.buffer(reserve=(last + 1) * 8)
    values = [(level + 1.0, layers - level) for level in range(last + 1)]
    fill, fetch = (ctx.compute_shader(_PREAMBLE + body) for body in (_FILL, _FETCH))
    for level, value in enumerate(values):
        fill["value"] = value
        texture.bind_to_image(0, read=False, write=True, level=level)
        fill.run(group_x=max(1, width >> level), group_y=max(1, height >> level), group_z=layers)
    ctx.memory_barrier()
    texture.filter = (moderngl.NEAREST_MIPMAP_NEAREST, moderngl.NEAREST)
    texture.use(UNIT)
    fetch["found_in"], fetch["layer"] = UNIT, layers - 1
    found.bind_to_storage_buffer(0)
    fetch.run(group_x=last + 1)
    ctx.memory_barrier()
    assert np.frombuffer(found.read(), np.float32).reshape(-1, 2).tolist() == [list(each) for each in values]
    assert ctx.error == "GL_NO_ERROR"
    for made in (texture, found, fill, fetch):
        made.release()


def test_a_copy_that_fails_leaves_the_layout_of_copies_as_it_was(ctx: moderngl.Context) -> None:
    texture, gl, row_length = ctx.texture((4, 4), 2, dtype="f4"), functions_of(ctx), 0x0CF2
    gl.glPixelStorei(row_length, 7)
    try:
        with pytest.raises(moderngl.Error):
            fill(ctx, texture, bytes(8))
        assert gl.integer(row_length) == 7
    finally:
        gl.glPixelStorei(row_length, 0)
        texture.release()
