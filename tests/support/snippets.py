"""What tests of snippets share: a small shape, numpy's transform of it, and textures for it."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest

import glfft
from glfft.algorithms.storage import STORAGES
from glfft.errors import GlfftError
from support.sentences import refused

SHAPE = (4, 8)
RG32F = STORAGES["rg32f"]

# One dispatch an axis, and several.
KINDS = ("stockham-radix4", "natural-order-stages")

each_kind = pytest.mark.parametrize("algorithm", KINDS)
GAIN = "uniform float gain;\nvalue load(ivec3 at) {\n    return gain * read_source(at);\n}\n"


def transform(values: npt.NDArray[Any]) -> npt.NDArray[np.complex128]:
    """numpy's, of each layer and half."""
    return np.fft.fft2(values.astype(np.complex128))


def texture(ctx: moderngl.Context, array: npt.NDArray[np.floating], components: int = 1) -> moderngl.Texture:
    rows, columns = array.shape[:2]
    return ctx.texture((columns, rows), components, np.ascontiguousarray(array, np.float32).tobytes(), dtype="f4")


def real_pictures(ctx: moderngl.Context, layers: int | None, values: npt.NDArray[Any]) -> Any:
    """A texture of one channel, or a texture array."""
    make = ctx.texture if layers is None else ctx.texture_array
    rows, columns = SHAPE
    size: Any = (columns, rows) if layers is None else (columns, rows, layers)
    return make(size, 1, np.ascontiguousarray(values, np.float32).tobytes(), dtype="f4")


def assert_not_taken(plan: glfft.Plan, name: str, value: Any, error: type[GlfftError], words: str) -> None:
    """`set_uniforms` refuses a value in one sentence that has the name and some words."""
    with refused(error) as caught:
        plan.set_uniforms(**{name: value})
    assert name in str(caught.value)
    assert words in str(caught.value)
