"""Passes over tiles: right for volumes in every storage and direction, and taken where they pay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.images import download, random_values, release, run, upload
from support.requests import LEAST_DEVICE, axis_request
from support.tolerances import assert_close, floor_of

import glfft
from glfft.algorithms.stockham import candidates, tiles
from glfft.algorithms.stockham.tiles import StockhamTiles, TileConfig
from glfft.algorithms.storage import STORAGES
from glfft.gl.context import state_of

NAME = StockhamTiles.name
GPU = replace(LEAST_DEVICE, renderer="NVIDIA H200/PCIe/SSE2")


def request(shape: tuple[int, ...], **changes: Any) -> Any:
    fields = {"both_axes": True, "algorithm": NAME, "device": GPU, **changes}
    return replace(axis_request((4, 4)), shape=shape, axis=len(shape) - 1, **fields)


# Powers of two and others, tiles that share their stages out evenly and unevenly.
CASES = [
    *(((4, 16, 8), None, "rg16f"), ((9, 25, 10), None, "buffer_pairs")),
    *(((7, 16, 9), None, "rg32f"), ((12, 24, 20), None, "rgba32f"), ((33, 16, 6), 2, "buffer")),
    *(((16, 40, 36), None, "rg32f"), ((5, 30, 12), None, "buffer_double")),
]


@pytest.mark.parametrize(("shape", "layers", "storage"), CASES)
def test_both_directions(ctx: moderngl.Context, shape: tuple[int, ...], layers: int | None, storage: str) -> None:
    kept, axes = STORAGES[storage], tuple(range(-len(shape), 0))
    values = random_values(kept, shape, layers, seed=shape[0])
    with glfft.Plan(ctx, shape, layers=layers, storage=storage, algorithm=NAME, norm="ortho") as plan:
        assert "forward: 2 dispatches" in plan.explain()
        assert " tiles " in plan.explain()
        for direction, exact in (("forward", np.fft.fftn), ("inverse", np.fft.ifftn)):
            expected = exact(values.astype(np.clongdouble), axes=axes, norm="ortho")
            assert_close(run(plan, values, direction), expected, floor_of(kept, len(shape)))


def test_computed_factors(ctx: moderngl.Context) -> None:
    shape = (6, 16, 20)
    values = random_values(STORAGES["rg32f"], shape, None)
    with glfft.Plan(ctx, shape, algorithm=NAME, twiddles="computed") as plan:
        assert_close(run(plan, values), np.fft.fftn(values.astype(np.complex128), axes=range(-len(shape), 0)), 110.0)


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


def test_snippets_load_first_and_store_last(ctx: moderngl.Context) -> None:
    shape = (6, 16, 20)
    values = random_values(STORAGES["rg32f"], shape, None)
    load = "value load(ivec3 at) { return read_source(at) * float(1 + at.x); }"
    store = "void store(ivec3 at, value result) { write_target(at, result * float(1 + at.y)); }"
    _, y, x = np.indices(shape)
    with glfft.Plan(ctx, shape, algorithm=NAME, load=load, store=store) as plan:
        exact = np.fft.fftn(values.astype(np.complex128) * (1 + x), axes=(-3, -2, -1)) * (1 + y)
        assert_close(run(plan, values), exact)


@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ((24, 64), {}),
        ((6, 16, 20), {"axes": (1,)}),
        ((6, 16, 20), {"real": True}),
        ((6, 16, 20), {"kind": "dct2"}),
        ((6, 16, 20), {"source_region": np.s_[0:4, 0:8, 0:8]}),
        ((68, 7, 3), {}),
        ((24, 64, 31), {"axes": (0, 1)}),
    ],
)
def test_what_is_not_whole_goes_line_by_line(
    ctx: moderngl.Context, shape: tuple[int, ...], options: dict[str, Any]
) -> None:
    options = {"shape": shape, **options}
    with glfft.Plan(ctx, algorithm=NAME, **options) as plan, glfft.Plan(ctx, algorithm="stockham", **options) as lines:
        assert plan.explain() == lines.explain().replace("algorithm stockham", f"algorithm {NAME}")
        assert " tiles " not in plan.explain()


def test_a_convolution_goes_line_by_line(ctx: moderngl.Context) -> None:
    product = "value product(ivec3 at, value s) { return s * float(1 + at.x); }"
    values, axes = random_values(STORAGES["rg32f"], (6, 16, 20), None), (-3, -2, -1)
    with glfft.Plan(ctx, (6, 16, 20), algorithm=NAME, multiply=product) as plan:
        exact = np.fft.ifftn(np.fft.fftn(values.astype(np.complex128), axes=axes) * (1 + np.arange(20)), axes=axes)
        assert_close(run(plan, values, "convolve"), exact)


def test_tiles_are_as_small_as_can_be() -> None:
    lengths = {shape: [each.length for each in tiles.passes_over(request(shape)) or ()] for shape in SHAPES}
    assert lengths == SHAPES


# The points of each pass.
SHAPES = {
    (4096, 4096): [],
    (64, 64, 64): [512, 512],
    (128, 128, 128): [1024, 2048],
    (8, 37, 41): [],
    # No list of radices has primes over 53.
    (64, 64, 61): [],
    (59, 64, 64): [],
}


def test_auto_takes_them_for_small_volumes_on_gpus(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where two passes do the whole of a volume that was measured to gain by it."""

    def taken(shape: tuple[int, ...], **options: Any) -> bool:
        with glfft.Plan(ctx, shape, directions="forward", **options) as plan:
            return " tiles " in plan.explain()

    state = state_of(ctx)
    monkeypatch.setattr(state, "device", replace(state.device, renderer="llvmpipe"))
    assert not taken((4, 64, 80))
    monkeypatch.setattr(state, "device", replace(state.device, renderer="a GPU"))
    assert taken((4, 64, 80))
    assert not any(
        (taken((12, 16, 16)), taken((64, 80)), taken((4, 64, 80), real=True), taken((4, 64, 80), axes=(1, 2)))
    )
    assert not any((taken((4, 64, 80), storage="buffer"), taken((4, 64, 80), wait=False)))
    values = random_values(STORAGES["rg32f"], (4, 64, 80), None)
    with glfft.Plan(ctx, (4, 64, 80)) as plan:
        assert_close(run(plan, values), np.fft.fftn(values.astype(np.complex128), axes=(-3, -2, -1)))
    assert (tiles.pays(request((96, 96, 96))), tiles.pays(request((100, 100, 100)))) == (True, False)


@pytest.mark.parametrize("shape", [(64, 40, 48), (96, 96, 96), (12, 24, 20)])
def test_kernels_are_for_their_tile_and_fit_the_device(shape: tuple[int, ...]) -> None:
    passes = tiles.passes_over(request(shape))
    assert passes is not None
    for each in passes:
        kernel = StockhamTiles().default(each)
        assert isinstance(kernel, TileConfig)
        assert each.tile is not None
        assert (kernel.radices[0], kernel.length) == (each.tile.rows, each.length)
        assert candidates.is_worth_it(kernel, each)
