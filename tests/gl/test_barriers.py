"""The barrier after a run is the one for the use named."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest
from support import images
from support.images import release
from support.pictures import blank, download, upload
from support.sentences import assert_one_sentence, refused
from support.tolerances import COMPOSED_DB, assert_close

import glfft
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import random_complex
from glfft.errors import OptionError
from glfft.gl.barriers import BUFFER_NEXT_USES, NEXT_USES


@pytest.mark.parametrize(
    ("name", "fetches", "between"),
    [
        ("buffer", False, moderngl.SHADER_STORAGE_BARRIER_BIT),
        ("buffer_pairs", False, moderngl.SHADER_STORAGE_BARRIER_BIT),
        ("buffer_double", False, moderngl.SHADER_STORAGE_BARRIER_BIT),
        ("buffer", True, moderngl.TEXTURE_FETCH_BARRIER_BIT),
        ("buffer_pairs", True, moderngl.TEXTURE_FETCH_BARRIER_BIT),
        # There are no buffer textures of doubles.
        ("buffer_double", True, moderngl.SHADER_STORAGE_BARRIER_BIT),
    ],
)
def test_the_next_uses_of_a_buffer(
    ctx: moderngl.Context, name: str, fetches: bool, between: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plans read buffers as shader storage, or through buffer textures."""
    if not fetches:
        monkeypatch.setattr(PassSpec, "fetches_buffer", False)
    buffer = images.blank(ctx, (4, 4), STORAGES[name], None)
    issued: list[int] = []
    needed = {
        "transform": 0,
        "storage": moderngl.SHADER_STORAGE_BARRIER_BIT,
        "read": moderngl.BUFFER_UPDATE_BARRIER_BIT,
        "draw": moderngl.VERTEX_ATTRIB_ARRAY_BARRIER_BIT
        | moderngl.ELEMENT_ARRAY_BARRIER_BIT
        | moderngl.COMMAND_BARRIER_BIT,
        "uniform": moderngl.UNIFORM_BARRIER_BIT,
        "pixels": moderngl.PIXEL_BUFFER_BARRIER_BIT,
    }
    assert set(BUFFER_NEXT_USES) == set(needed)
    with glfft.Plan(ctx, (4, 4), storage=name, algorithm="stockham") as plan:
        monkeypatch.setattr(moderngl.Context, "memory_barrier", lambda self, bits: issued.append(bits))
        for use, bits in needed.items():
            plan.forward(buffer, buffer, next_use=use)
            # Before each pass there is one.
            assert issued == [between] * 2 + [bits] * (bits > 0)
            issued.clear()
        plan.forward(buffer, buffer)
        assert all(issued[-1] & bits == bits for bits in needed.values())
        for no_use in ("sample", "image", "texture", 3):
            with refused(OptionError) as caught:
                plan.forward(buffer, buffer, next_use=no_use)  # pyright: ignore[reportArgumentType]
            assert ", ".join(BUFFER_NEXT_USES) in str(caught.value)
    release(buffer)


def test_the_next_use_of_a_texture_is_none_of_a_buffers(ctx: moderngl.Context) -> None:
    texture = images.blank(ctx, (4, 4), STORAGES["rg32f"], 2)
    with (
        glfft.Plan(ctx, (4, 4), layers=2) as plan,
        pytest.raises(OptionError, match="transform, sample, image, read, draw"),
    ):
        plan.forward(texture, texture, next_use="storage")
    release(texture)


@pytest.mark.parametrize("next_use", ["sampling", "", 8, ["sample"], np.ones((8, 8))])
def test_a_next_use_that_is_none(ctx: moderngl.Context, next_use: Any) -> None:
    texture = blank(ctx, (8, 16))
    with glfft.Plan(ctx, (8, 16)) as plan, pytest.raises(OptionError) as caught:
        plan.forward(texture, texture, next_use=next_use)
    assert_one_sentence(str(caught.value))
    assert "transform, sample, image, read, draw" in str(caught.value)


@pytest.mark.parametrize("next_use", [None, *NEXT_USES])
def test_every_next_use_gives_the_result(ctx: moderngl.Context, next_use: str | None) -> None:
    array = random_complex((4, 8))
    source, target = upload(ctx, array), blank(ctx, (4, 8))
    with glfft.Plan(ctx, (4, 8)) as plan:
        plan.forward(source, target, next_use=next_use)
        plan.inverse(target, target, next_use="read")
    assert_close(download(target), array, floor_db=COMPOSED_DB)


def test_the_last_barrier_is_the_one_for_the_use_named(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    texture = blank(ctx, (16, 16))
    issued: list[int] = []
    needed = {
        "transform": moderngl.TEXTURE_FETCH_BARRIER_BIT,
        "sample": moderngl.TEXTURE_FETCH_BARRIER_BIT,
        "image": moderngl.SHADER_IMAGE_ACCESS_BARRIER_BIT,
        "read": moderngl.TEXTURE_UPDATE_BARRIER_BIT
        | moderngl.PIXEL_BUFFER_BARRIER_BIT
        | moderngl.BUFFER_UPDATE_BARRIER_BIT,
        "draw": moderngl.FRAMEBUFFER_BARRIER_BIT,
    }
    assert set(NEXT_USES) == set(needed)
    monkeypatch.setattr(moderngl.Context, "memory_barrier", lambda self, bits: issued.append(bits))
    with glfft.Plan(ctx, (16, 16), algorithm="stockham-radix4") as plan:
        for next_use, bits in needed.items():
            plan.forward(texture, texture, next_use=next_use)
            assert issued.pop() == bits
        plan.forward(texture, texture)
        assert issued.pop() == needed["sample"] | needed["image"] | needed["read"] | needed["draw"]


STORE_TEXELS = """
writeonly uniform image2D shown;
void store(ivec3 at, value result) { imageStore(shown, at.xy, vec4(result.x)); }
"""
STORE_NUMBERS = """
layout(std430, binding = 1) writeonly buffer Numbers { float numbers[]; };
void store(ivec3 at, value result) { numbers[at.y * COLUMNS + at.x] = result.x; }
"""


@pytest.mark.parametrize(
    ("storage", "snippet", "also_needed"),
    [
        ("buffer", STORE_TEXELS, moderngl.TEXTURE_FETCH_BARRIER_BIT | moderngl.FRAMEBUFFER_BARRIER_BIT),
        ("rg32f", STORE_NUMBERS, moderngl.SHADER_STORAGE_BARRIER_BIT | moderngl.COMMAND_BARRIER_BIT),
    ],
)
def test_a_store_snippet_may_write_what_its_plan_does_not_hold(
    ctx: moderngl.Context, storage: str, snippet: str, also_needed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan of buffers may store to a texture, and a plan of textures to a buffer."""
    source, shown = images.blank(ctx, (4, 4), STORAGES[storage], None), blank(ctx, (4, 4))
    numbers = ctx.buffer(reserve=4 * 4 * 4)
    numbers.bind_to_storage_buffer(1)
    issued: list[int] = []
    with glfft.Plan(ctx, (4, 4), storage=storage, store=snippet) as plan:
        if snippet is STORE_TEXELS:
            plan.set_uniforms(shown=shown)
        monkeypatch.setattr(moderngl.Context, "memory_barrier", lambda self, bits: issued.append(bits))
        plan.forward(source, None)
    assert issued[-1] & also_needed == also_needed
    release(source, shown, numbers)
