"""What is no source or target of a plan is refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import moderngl
import numpy as np
import pytest
from support import images
from support.images import assert_refused
from support.pictures import blank, download, upload
from support.programs import lines_of
from support.sentences import assert_one_sentence, refused
from support.tolerances import assert_close

import glfft
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import random_complex
from glfft.errors import TextureError


def test_a_target_that_would_drop_stores_is_refused(ctx: moderngl.Context) -> None:
    # Some drivers store in a texture whose filter asks for mipmaps it has not, others drop everything in silence.
    array = random_complex((16, 16))
    source, target = upload(ctx, array), blank(ctx, (16, 16))
    target.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    with glfft.Plan(ctx, (16, 16)) as plan:
        with pytest.raises(TextureError, match="mipmaps"):
            plan.forward(source, target)
        target.build_mipmaps()
        target.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        plan.forward(source, target)
    assert_close(download(target), np.fft.fft2(array.astype(np.complex128)))


def test_a_texture_that_begins_at_a_smaller_mipmap_is_refused(ctx: moderngl.Context) -> None:
    # Fetches would find that one, where there is nothing of most of the picture.
    array = random_complex((16, 16))
    good, short = upload(ctx, array), upload(ctx, array)
    with glfft.Plan(ctx, (16, 16)) as plan:
        plan.forward(short, good)  # as its mipmaps may be built later
        short.build_mipmaps()
        short.build_mipmaps(base=1)
        for minify in (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR):
            # Known from an earlier run and then filtered as in that, it is looked at again.
            short.filter = (minify, moderngl.LINEAR)
            for role, ends in (("source", (short, good)), ("target", (good, short))):
                with refused(TextureError, match=f"The {role} begins at its mipmap 1"):
                    plan.forward(*ends)
        short.build_mipmaps()
        plan.forward(short, good)
    assert_close(download(good), np.fft.fft2(array.astype(np.complex128)))


# Which image is none for the plan, and words of the sentence that says so.
WRONG: list[tuple[dict[str, Any], Callable[[moderngl.Context], Any], tuple[str, ...]]] = [
    ({"layers": 2}, lambda ctx: ctx.texture((16, 8), 2, dtype="f4"), ("TextureArray", "not Texture")),
    ({"layers": 2}, lambda ctx: ctx.texture_array((16, 8, 3), 2, dtype="f4"), ("16 x 8 x 3", "16 x 8 x 2", "layers")),
    ({"layers": 2}, lambda ctx: ctx.texture_array((8, 16, 2), 2, dtype="f4"), ("8 x 16 x 2", "16 x 8 x 2")),
    ({"layers": 2}, lambda ctx: ctx.texture_array((16, 8, 2), 4, dtype="f4"), ("4 components", "needs 2")),
    ({"layers": 2}, lambda ctx: ctx.texture_array((16, 8, 2), 2, dtype="f2"), ("'f2'", "'f4'")),
    ({"layers": 2}, lambda ctx: ctx.buffer(reserve=16 * 8 * 2 * 8), ("TextureArray", "Buffer")),
    ({}, lambda ctx: ctx.texture_array((16, 8, 1), 2, dtype="f4"), ("moderngl.Texture,", "TextureArray")),
    ({}, lambda ctx: ctx.buffer(reserve=16 * 8 * 8), ("moderngl.Texture,", "Buffer")),
    (
        {"storage": "rgba32f"},
        lambda ctx: ctx.texture((16, 8), 2, dtype="f4"),
        ("2 components", "rgba32f", "two complex"),
    ),
    ({"storage": "rgba32f"}, lambda ctx: ctx.texture((16, 8), 4, dtype="f2"), ("'f2'", "'f4'")),
    ({"storage": "rgba16f"}, lambda ctx: ctx.texture((16, 8), 4, dtype="f4"), ("'f4'", "rgba16f", "'f2'")),
    ({"storage": "rg16f"}, lambda ctx: ctx.texture((16, 8), 2, dtype="f4"), ("'f4'", "rg16f", "'f2'")),
    ({"storage": "rg16f"}, lambda ctx: ctx.texture((16, 8), 2, dtype="u2"), ("'u2'", "rg16f")),
    ({"storage": "rgba32f"}, lambda ctx: ctx.texture((16, 8), 4, dtype="f4", internal_format=0x881A), ("RGBA32F",)),
    ({"storage": "buffer"}, lambda ctx: ctx.texture((16, 8), 2, dtype="f4"), ("moderngl.Buffer", "Texture")),
    ({"storage": "buffer"}, lambda ctx: ctx.buffer(reserve=16 * 8 * 8 - 1), ("1023 bytes", "1024")),
    ({"storage": "buffer", "layers": 3}, lambda ctx: ctx.buffer(reserve=16 * 8 * 8), ("1024 bytes", "3072")),
    ({"storage": "buffer_pairs"}, lambda ctx: ctx.buffer(reserve=16 * 8 * 8), ("1024 bytes", "2048")),
    ({"storage": "buffer"}, lambda ctx: None, ("moderngl.Buffer", "not None, unless a snippet in")),
]


@pytest.mark.parametrize(
    ("options", "make", "words"), WRONG, ids=[f"{options}-{words[0]}" for options, _, words in WRONG]
)
def test_what_is_no_image_of_a_plan_is_refused(
    ctx: moderngl.Context, options: dict[str, Any], make: Callable[[moderngl.Context], Any], words: tuple[str, ...]
) -> None:
    storage, layers = STORAGES[options.get("storage", "rg32f")], options.get("layers")
    good, bad = images.blank(ctx, (8, 16), storage, layers), make(ctx)
    with glfft.Plan(ctx, (8, 16), **options) as plan:
        images.assert_refused(plan, good, bad, words)


def test_a_released_buffer_is_refused(ctx: moderngl.Context) -> None:
    good, gone = ctx.buffer(reserve=512), ctx.buffer(reserve=512)
    gone.release()
    with glfft.Plan(ctx, (8, 8), storage="buffer") as plan, pytest.raises(TextureError, match="has been released"):
        plan.forward(good, gone)


@pytest.fixture
def plan(ctx: moderngl.Context) -> glfft.Plan:
    return glfft.Plan(ctx, (8, 16))


def released(ctx: moderngl.Context) -> moderngl.Texture:
    texture = ctx.texture((16, 8), 2, dtype="f4")
    texture.release()
    return texture


def test_a_texture_may_have_been_given_its_size_as_a_list(ctx: moderngl.Context, plan: glfft.Plan) -> None:
    size: Any = [16, 8]  # moderngl keeps it
    texture = ctx.texture(size, 2, bytes(1024), dtype="f4")
    plan.forward(texture, texture, next_use="read")
    assert texture.read() == bytes(1024)


def test_a_texture_of_a_snippet_may_have_been_given_its_size_as_a_list(ctx: moderngl.Context) -> None:
    right, wrong = [8, 4], [4, 8]
    with glfft.Plan(ctx, (4, 8), multiply=glfft.snippets.multiply_by_texture(), directions=["convolve"]) as plan:
        plan.set_uniforms(factor=ctx.texture(cast(Any, right), 2, dtype="f4"))
        with refused(TextureError):
            plan.set_uniforms(factor=ctx.texture(cast(Any, wrong), 2, dtype="f4"))


BAD_TEXTURES: list[tuple[str, Callable[[moderngl.Context], Any], tuple[str, ...]]] = [
    ("transposed", lambda ctx: ctx.texture((8, 16), 2, dtype="f4"), ("8 x 16", "16 x 8", "(rows, columns)")),
    ("one component", lambda ctx: ctx.texture((16, 8), 1, dtype="f4"), ("1 component", "needs 2 components")),
    ("four components", lambda ctx: ctx.texture((16, 8), 4, dtype="f4"), ("4 components",)),
    ("half floats", lambda ctx: ctx.texture((16, 8), 2, dtype="f2"), ("'f2'", "'f4'")),
    ("bytes", lambda ctx: ctx.texture((16, 8), 2), ("'f1'", "'f4'", "snippet (")),
    ("half in disguise", lambda ctx: ctx.texture((16, 8), 2, dtype="f4", internal_format=0x822F), ("internal format",)),
    ("samples", lambda ctx: ctx.texture((16, 8), 2, dtype="f4", samples=4), ("4 samples",)),
    ("depth", lambda ctx: ctx.depth_texture((16, 8)), ("1 component",)),
    ("array", lambda ctx: ctx.texture_array((16, 8, 2), 2, dtype="f4"), ("moderngl.Texture", "TextureArray")),
    ("buffer", lambda ctx: ctx.buffer(reserve=1024), ("moderngl.Texture", "Buffer")),
    ("nothing", lambda ctx: None, ("moderngl.Texture", "not None, unless a snippet in")),
    ("released", released, ("has been released",)),
]


@pytest.mark.parametrize(("make", "words"), [case[1:] for case in BAD_TEXTURES], ids=[case[0] for case in BAD_TEXTURES])
def test_bad_textures(
    ctx: moderngl.Context, plan: glfft.Plan, make: Callable[[moderngl.Context], Any], words: tuple[str, ...]
) -> None:
    assert_refused(plan, blank(ctx, (8, 16)), make(ctx), words)


TWO_CONTEXTS = """
import glfft
from glfft.errors import TextureError

first, second = glfft.open_context(), glfft.open_context()
with second:
    foreign = second.texture((16, 8), 2, dtype="f4")
with first:
    plan = glfft.Plan(first, (8, 16))
    own = first.texture((16, 8), 2, dtype="f4")
    for arguments in ((foreign, own), (own, foreign)):
        try:
            plan.forward(*arguments)
        except TextureError as error:
            print(error)
    plan.forward(own, own)
"""


def test_a_texture_of_another_context() -> None:
    # In a process of its own: the second context becomes the one moderngl takes as its default.
    for role, message in zip(("source", "target"), lines_of(TWO_CONTEXTS), strict=True):
        assert_one_sentence(message)
        assert role in message
        assert "another context" in message
