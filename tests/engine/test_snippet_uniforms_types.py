"""Textures of snippets: those that OpenGL would read as zeros, or drop stores to, are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import moderngl
import pytest
from support import images
from support.images import release
from support.sentences import refused
from support.snippets import RG32F, SHAPE, assert_not_taken

import glfft
from glfft.errors import TextureError


def without_mipmaps(ctx: moderngl.Context) -> moderngl.Texture:
    texture = ctx.texture((8, 4), 2, dtype="f4")
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture


# OpenGL reads zeros from these, or drops what is stored in them.
WRONG_TEXTURES: list[tuple[str, Callable[[moderngl.Context], Any], str]] = [
    ("window", lambda ctx: ctx.texture((8, 4), 1, dtype="i4"), "declared for floats; its texture holds integers"),
    ("window", lambda ctx: ctx.texture((8, 4), 1, dtype="u1"), "holds unsigned integers ('u1')"),
    ("window", lambda ctx: ctx.texture((8, 4), 4, samples=4), "multisampled"),
    ("numbers", lambda ctx: ctx.texture((8, 4), 1, dtype="f4"), "declared for integers; its texture holds floats"),
    ("numbers", lambda ctx: ctx.texture((8, 4), 1, dtype="u4"), "its texture holds unsigned integers"),
    ("counts", lambda ctx: ctx.texture((8, 4), 1, dtype="i4"), "declared for unsigned integers"),
    ("picture", lambda ctx: ctx.texture((8, 4), 3, dtype="f4"), "has 3 components"),
    ("picture", lambda ctx: ctx.depth_texture((8, 4)), "has depth"),
    ("picture", without_mipmaps, "build_mipmaps()"),
    ("picture", lambda ctx: ctx.texture((8, 4), 1, dtype="f4"), "declared as rg32f and its texture is r32f"),
    ("picture", lambda ctx: ctx.texture((8, 4), 2, dtype="f2"), "is rg16f"),
    ("pictures", lambda ctx: ctx.texture_array((8, 4, 1), 2), "is rg8"),
    ("counts", lambda ctx: ctx.texture((8, 4), 1, dtype="u2"), "declared as r32ui and its texture is r16ui"),
    ("samples", lambda ctx: ctx.texture((8, 4), 4, dtype="f4"), "declared for a multisampled texture"),
]


@pytest.mark.parametrize(
    ("name", "make", "words"), WRONG_TEXTURES, ids=[f"{name}-{words[:30]}" for name, _, words in WRONG_TEXTURES]
)
def test_textures_that_would_fail_in_silence(
    ctx: moderngl.Context, all_sorts: glfft.Plan, name: str, make: Callable[[moderngl.Context], Any], words: str
) -> None:
    assert_not_taken(all_sorts, name, make(ctx), TextureError, words)


def test_textures_of_the_kind_that_is_declared(ctx: moderngl.Context, all_sorts: glfft.Plan) -> None:
    mipmapped = without_mipmaps(ctx)
    mipmapped.build_mipmaps()
    all_sorts.set_uniforms(numbers=ctx.texture((8, 4), 1, dtype="i2"), counts=ctx.texture((8, 4), 1, dtype="u4"))
    all_sorts.set_uniforms(window=ctx.texture((8, 4), 3, dtype="nu2"), picture=mipmapped)
    all_sorts.set_uniforms(samples=ctx.texture((8, 4), 4, samples=4))


SUFFIXES = {"f1": "8", "f2": "16f", "f4": "32f", "nu1": "8", "nu2": "16", "ni1": "8", "ni2": "16"} | {
    f"{letter}{size}": f"{8 * size}{letter}".replace("u", "ui") for letter in "iu" for size in (1, 2, 4)
}


@pytest.mark.parametrize("channels", ["r", "rg", "rgba"])
@pytest.mark.parametrize("dtype", SUFFIXES)
def test_images_are_declared_as_moderngl_binds_them(ctx: moderngl.Context, dtype: str, channels: str) -> None:
    letter = dtype[0] if dtype[0] in "iu" else ""
    store = f"""
        layout({channels}{SUFFIXES[dtype]}) writeonly uniform {letter}image2D copy;
        void store(ivec3 at, value result) {{ imageStore(copy, at.xy, {letter}vec4(1)); }}"""
    copy, source = ctx.texture((8, 4), len(channels), dtype=dtype), images.blank(ctx, SHAPE, RG32F, None)
    with glfft.Plan(ctx, SHAPE, store=store) as plan:
        plan.set_uniforms(copy=copy)
        plan.forward(source, None, next_use="read")
    assert any(copy.read())
    release(copy, source)


def test_a_texture_that_is_gone(ctx: moderngl.Context, all_sorts: glfft.Plan) -> None:
    gone = ctx.texture((8, 4), 1)
    all_sorts.set_uniforms(window=gone)
    gone.release()
    ends = [images.blank(ctx, SHAPE, RG32F, None) for _ in range(2)]
    for use_it in (lambda: all_sorts.forward(*ends), lambda: all_sorts.set_uniforms(window=gone)):
        with refused(TextureError, "'window' has been released"):
            use_it()
    release(*ends)
