"""Passes over tiles of volumes: of which sizes, with snippets, and taken where they pay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.images import random_values, run
from support.requests import LEAST_DEVICE, axis_request
from support.tolerances import assert_close

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


def test_computed_factors(ctx: moderngl.Context) -> None:
    shape = (6, 16, 20)
    values = random_values(STORAGES["rg32f"], shape, None)
    with glfft.Plan(ctx, shape, algorithm=NAME, twiddles="computed") as plan:
        assert_close(run(plan, values), np.fft.fftn(values.astype(np.complex128), axes=range(-len(shape), 0)), 110.0)


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
