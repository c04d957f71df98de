"""Volumes in two dispatches, over planes or tiles: right in every storage and direction, in place, or axis by axis."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support.images import download, random_values, release, run, upload
from support.tolerances import assert_close, floor_of

import glfft
from glfft.algorithms.stockham.pictures import StockhamPicture
from glfft.algorithms.stockham.tiles import StockhamTiles
from glfft.algorithms.storage import STORAGES

PLANES, TILES = StockhamPicture.name, StockhamTiles.name
LINES = {PLANES: " rows and columns ", TILES: " tiles "}
AXES = (-3, -2, -1)

# Planes that share a work group and others, one stage along z and two; layers, and all ways to keep numbers. Tiles of
# powers of two and others, which share their stages out evenly and unevenly.
CASES = [
    *((PLANES, (7, 16, 9), None, "rg32f"), (PLANES, (12, 8, 20), None, "rgba32f")),
    *((PLANES, (33, 16, 6), 2, "buffer"), (PLANES, (5, 64, 32), None, "rg16f")),
    *((PLANES, (9, 25, 10), None, "buffer_pairs"), (PLANES, (40, 3, 4), 3, "buffer_double")),
    *((TILES, (4, 16, 8), None, "rg16f"), (TILES, (9, 25, 10), None, "buffer_pairs")),
    *((TILES, (7, 16, 9), None, "rg32f"), (TILES, (12, 24, 20), None, "rgba32f"), (TILES, (33, 16, 6), 2, "buffer")),
    *((TILES, (16, 40, 36), None, "rg32f"), (TILES, (5, 30, 12), None, "buffer_double")),
]


@pytest.mark.parametrize(("name", "shape", "layers", "storage"), CASES)
def test_both_directions(
    ctx: moderngl.Context, name: str, shape: tuple[int, ...], layers: int | None, storage: str
) -> None:
    kept = STORAGES[storage]
    values = random_values(kept, shape, layers, seed=shape[0])
    with glfft.Plan(ctx, shape, layers=layers, storage=storage, algorithm=name, norm="ortho") as plan:
        assert "forward: 2 dispatches" in plan.explain()
        assert LINES[name] in plan.explain()
        for direction, exact in (("forward", np.fft.fftn), ("inverse", np.fft.ifftn)):
            expected = exact(values.astype(np.clongdouble), axes=AXES, norm="ortho")
            assert_close(run(plan, values, direction), expected, floor_of(kept, len(shape)))


@pytest.mark.parametrize("name", LINES)
def test_in_place_gives_the_same_bits(ctx: moderngl.Context, name: str) -> None:
    storage, shape = STORAGES["rg32f"], (6, 16, 20)
    values = random_values(storage, shape, None)
    image = upload(ctx, values, storage, None)
    with glfft.Plan(ctx, shape, algorithm=name) as plan:
        for direction in ("forward", "inverse"):
            image.write(np.ascontiguousarray(values).tobytes())
            getattr(plan, direction)(image, image, next_use="read")
            assert download(image, storage, shape, None).tobytes() == run(plan, values, direction).tobytes()
    release(image)


@pytest.mark.parametrize("name", LINES)
def test_a_convolution_goes_axis_by_axis(ctx: moderngl.Context, name: str) -> None:
    values = random_values(STORAGES["rg32f"], (6, 16, 20), None)
    product = "value product(ivec3 at, value s) { return s * float(1 + at.x); }"
    with glfft.Plan(ctx, (6, 16, 20), algorithm=name, multiply=product) as plan:
        exact = np.fft.ifftn(np.fft.fftn(values.astype(np.complex128), axes=AXES) * (1 + np.arange(20)), axes=AXES)
        assert_close(run(plan, values, "convolve"), exact)
        assert LINES[name] not in plan.explain().split("convolve:")[1]
