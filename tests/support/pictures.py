"""Arrays to textures and back, and random input: what the tests of the engine share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

import glfft
from glfft.apps.signal_to_noise import random_complex

ALGORITHMS = tuple(glfft.algorithm_names())
# Those with two images between stages, which need a thread for each butterfly, and texels.
PING_PONG = tuple(name for name in ALGORITHMS if name.startswith("ping-pong-"))
# One of them stands for the three where the ends of passes are tested: they share what loads and stores.
OF_EACH_END = tuple(name for name in ALGORITHMS if name not in PING_PONG or name == "ping-pong-stockham-radix2")
DIRECTIONS = ("forward", "inverse")
# Typed loosely: numpy spells out the names of the norms, which tests hand over as plain strings.
NUMPY: dict[str, Callable[..., Any]] = {"forward": np.fft.fftn, "inverse": np.fft.ifftn}


@cache
def exact_of_noise(shape: tuple[int, int], direction: str) -> npt.NDArray[np.complex128]:
    """numpy's transform of `random_complex` in float64."""
    return NUMPY[direction](random_complex(shape).astype(np.complex128))


def upload(ctx: moderngl.Context, array: npt.NDArray[np.complexfloating]) -> moderngl.Texture:
    """A texture with row 0 of the array first."""
    rows, columns = array.shape
    return ctx.texture((columns, rows), 2, np.ascontiguousarray(array, np.complex64).tobytes(), dtype="f4")


def blank(ctx: moderngl.Context, shape: tuple[int, ...]) -> moderngl.Texture:
    """A target full of NaN, so that an element nobody writes shows."""
    return upload(ctx, np.full(shape, complex(np.nan, np.nan), np.complex64))


def download(texture: moderngl.Texture) -> npt.NDArray[np.complex64]:
    """The texture's texels as [rows, columns]."""
    return np.frombuffer(texture.read(), np.complex64).reshape(texture.height, texture.width)


def run(
    plan: glfft.Plan, array: npt.NDArray[np.complexfloating], direction: str = "forward"
) -> npt.NDArray[np.complex64]:
    """What a plan makes of an array, written to a target full of NaN."""
    source, target = upload(plan.ctx, array), blank(plan.ctx, plan.shape)
    try:
        getattr(plan, direction)(source, target, next_use="read")
        return download(target)
    finally:
        source.release()
        target.release()
