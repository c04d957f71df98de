"""Which arrays hold what a texture holds, and which texture holds an array."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest
from support.sentences import refused

from glfft.errors import DataError, LimitError, TextureError
from glfft.gl.interop.views import Forms, new_texture


@pytest.mark.parametrize(
    ("channels", "number", "forms"),
    [
        (1, "f4", ["float32 (3, 5)", "float32 (3, 5, 1)"]),
        (2, "f4", ["complex64 (3, 5)", "float32 (3, 5, 2)", "complex64 (3, 5, 1)"]),
        (3, "f4", ["float32 (3, 5, 3)"]),
        (4, "f4", ["float32 (3, 5, 4)", "complex64 (3, 5, 2)"]),
        (2, "f8", ["complex128 (3, 5)", "float64 (3, 5, 2)", "complex128 (3, 5, 1)"]),
        (2, "f2", ["float16 (3, 5, 2)"]),
        (4, "f1", ["uint8 (3, 5, 4)"]),
        (1, "nu2", ["uint16 (3, 5)", "uint16 (3, 5, 1)"]),
        (2, "ni1", ["int8 (3, 5, 2)"]),
    ],
)
def test_forms_have_the_images_bytes(channels: int, number: str, forms: list[str]) -> None:
    found = Forms((3, 5), channels, number)
    assert [f"{dtype} {shape}" for dtype, shape in found.all] == forms
    assert {dtype.itemsize * int(np.prod(shape)) for dtype, shape in found.all} == {found.size}


def test_another_form_is_one_sentence() -> None:
    forms = Forms((3, 5), 2, "f4")
    forms.check(np.dtype(">c8"), (3, 5), "the plan")
    wanted = r"the plan needs complex64 \[3, 5\] or float32 \[3, 5, 2\] or complex64 \[3, 5, 1\]\.$"
    for dtype, shape in (("c16", (3, 5)), ("c8", (5, 3)), ("f4", (3, 5))):
        with refused(DataError, match=wanted):
            forms.check(np.dtype(dtype), shape, "the plan")


@pytest.mark.parametrize(
    ("dtype", "shape", "made"),
    [
        ("f4", (4, 6), ((6, 4), 1, "f4")),
        ("f4", (4, 6, 3), ((6, 4), 3, "f4")),
        ("f2", (4, 6, 4), ((6, 4), 4, "f2")),
        ("u1", (4, 6, 4), ((6, 4), 4, "f1")),
        ("c8", (4, 6), ((6, 4), 2, "f4")),
        ("c8", (4, 6, 1), ((6, 4), 2, "f4")),
        ("c8", (4, 6, 2), ((6, 4), 4, "f4")),
    ],
)
def test_a_texture_is_made_for_an_array(dtype: str, shape: tuple[int, ...], made: Any, ctx: moderngl.Context) -> None:
    texture = new_texture(ctx, np.dtype(dtype), shape)
    assert (texture.size, texture.components, texture.dtype) == made
    assert (np.dtype(dtype), shape) in Forms.of_texture(texture).all
    texture.release()


@pytest.mark.parametrize(
    ("dtype", "shape"),
    [
        ("f8", (4, 6)),
        ("i4", (4, 6)),
        ("f4", (6,)),
        ("f4", (4, 6, 5)),
        ("c8", (4, 6, 3)),
    ],
)
def test_an_array_that_no_texture_holds_is_one_sentence(
    dtype: str, shape: tuple[int, ...], ctx: moderngl.Context
) -> None:
    with refused(DataError):
        new_texture(ctx, np.dtype(dtype), shape)


def test_one_that_is_too_large_is_one_sentence(ctx: moderngl.Context) -> None:
    with refused(LimitError, match="end at"):
        new_texture(ctx, np.dtype(np.uint8), (2, 1 << 20))


def test_textures_with_samples_are_refused(ctx: moderngl.Context) -> None:
    texture = ctx.texture((4, 4), 4, samples=4)
    with refused(TextureError):
        Forms.of_texture(texture)
    texture.release()
