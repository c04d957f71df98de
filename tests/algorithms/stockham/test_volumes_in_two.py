"""Volumes in two dispatches, over planes and along z: right in every storage and direction, and in place."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support.images import download, random_values, release, run, upload
from support.tolerances import assert_close, floor_of

import glfft
from glfft.algorithms.stockham.pictures import StockhamPicture
from glfft.algorithms.storage import STORAGES

NAME, LINES = StockhamPicture.name, " rows and columns "
AXES = (-3, -2, -1)

# Planes that share a work group and others, one stage along z and two; layers, and all ways to keep numbers.
CASES = [
    *(((7, 16, 9), None, "rg32f"), ((12, 8, 20), None, "rgba32f"), ((33, 16, 6), 2, "buffer")),
    *(((5, 64, 32), None, "rg16f"), ((9, 25, 10), None, "buffer_pairs"), ((40, 3, 4), 3, "buffer_double")),
]


@pytest.mark.parametrize(("shape", "layers", "storage"), CASES)
def test_both_directions(ctx: moderngl.Context, shape: tuple[int, ...], layers: int | None, storage: str) -> None:
    kept = STORAGES[storage]
    values = random_values(kept, shape, layers, seed=shape[0])
    with glfft.Plan(ctx, shape, layers=layers, storage=storage, algorithm=NAME, norm="ortho") as plan:
        assert "forward: 2 dispatches" in plan.explain()
        assert LINES in plan.explain()
        for direction, exact in (("forward", np.fft.fftn), ("inverse", np.fft.ifftn)):
            expected = exact(values.astype(np.clongdouble), axes=AXES, norm="ortho")
            assert_close(run(plan, values, direction), expected, floor_of(kept, len(shape)))


def test_in_place_gives_the_same_bits(ctx: moderngl.Context) -> None:
    storage, shape = STORAGES["rg32f"], (6, 16, 20)
    values = random_values(storage, shape, None)
    image = upload(ctx, values, storage, None)
    with glfft.Plan(ctx, shape, algorithm=NAME) as plan:
        for direction in ("forward", "inverse"):
            image.write(np.ascontiguousarray(values).tobytes())
            getattr(plan, direction)(image, image, next_use="read")
            assert download(image, storage, shape, None).tobytes() == run(plan, values, direction).tobytes()
    release(image)


def test_a_convolution_goes_axis_by_axis(ctx: moderngl.Context) -> None:
    values = random_values(STORAGES["rg32f"], (6, 16, 20), None)
    product = "value product(ivec3 at, value s) { return s * float(1 + at.x); }"
    with glfft.Plan(ctx, (6, 16, 20), algorithm=NAME, multiply=product) as plan:
        exact = np.fft.ifftn(np.fft.fftn(values.astype(np.complex128), axes=AXES) * (1 + np.arange(20)), axes=AXES)
        assert_close(run(plan, values, "convolve"), exact)
        assert LINES not in plan.explain().split("convolve:")[1]
