"""Passes as data: what they say of themselves follows from what they read and write."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import moderngl
import pytest
from support import images
from support.images import release
from support.requests import axis_request, spec_of

import glfft
from glfft.algorithms.pass_bindings import Place
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.regions import Points, Region
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.kernel import kernel_pass
from glfft.algorithms.storage import STORAGES, Storage

each_storage = pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)
each_layers = pytest.mark.parametrize("layers", [None, 1, 3], ids=lambda layers: f"layers={layers}")


def test_backwards_changes_the_order_and_nothing_else() -> None:
    spec = spec_of()
    assert replace(spec.backwards, defines=spec.defines) == spec
    assert dict(spec.backwards.defines) == {"THREADS": 8, "BACKWARDS": True}
    without = replace(spec, defines=(("THREADS", 8),))
    assert without.backwards == without


def test_a_source_is_fetched_unless_an_image_is_preferred() -> None:
    assert spec_of().source_place is Place.TEXTURE
    preferring = spec_of(prefers_image_loads=True)
    assert preferring.source_place is Place.IMAGE
    assert preferring.fetching.source_place is Place.TEXTURE
    assert "SOURCE_FORMAT rg32f" in preferring.source.text
    buffers = axis_request((4, 8), storage=STORAGES["buffer"])
    assert spec_of(request=buffers, prefers_image_loads=True).source_place is Place.BUFFER_TEXTURE
    in_double = axis_request((4, 8), storage=STORAGES["buffer_double"])
    assert spec_of(request=in_double, prefers_image_loads=True).source_place is Place.STORAGE_BUFFER


@pytest.mark.parametrize("axis", [0, 1])
def test_half_a_spectrum_is_half_the_lines(axis: int) -> None:
    spec = spec_of((6, 8), axis, reads=Points.REAL, writes=Points.HERMITIAN)
    assert spec.source_lines.shape == (6, 8)
    half = (6, 5) if axis == 1 else (4, 8)
    assert spec.target_lines.shape == half
    assert spec.bytes_moved == 6 * 8 * 4 + half[0] * half[1] * 8
    for name, value in (("SOURCE_ROWS", 6), ("TARGET_ROWS", half[0]), ("TARGET_COLUMNS", half[1]), ("ROWS", 6)):
        assert spec.constants[name] == value


def real_rows(shape: tuple[int, int], storage: str = "buffer", **options: Any) -> PassSpec:
    """Forward; halved, or alone with the lines of a group staged."""
    request = axis_request(shape, 1, storage=STORAGES[storage], real=True, **options)
    kernel = KernelConfig((request.length,), 1, 2, staged=not request.halved)
    return replace(kernel_pass(request, kernel), reads=Points.REAL, writes=Points.HERMITIAN)


def test_halved_rows_of_a_buffer_are_complex_ones_in_memory() -> None:
    forward = real_rows((3, 16), halved=True)
    numbers = {"READS_REAL": False, "SOURCE_COLUMNS": 8, "TARGET_COLUMNS": 9}
    assert {name: forward.constants[name] for name in numbers} == numbers
    assert forward.bindings.source.storage == STORAGES["buffer"]
    assert forward.source_bytes == 3 * 16 * 4
    inverse = replace(real_rows((3, 16), halved=True, direction=+1), reads=Points.HERMITIAN, writes=Points.REAL)
    numbers = {"WRITES_REAL": False, "SOURCE_COLUMNS": 9, "TARGET_COLUMNS": 8}
    assert {name: inverse.constants[name] for name in numbers} == numbers
    apart = [
        real_rows((3, 16), "rg32f", halved=True),
        real_rows((3, 16), "buffer_pairs", halved=True),
        replace(forward, source_region=Region((0, 2), (3, 10))),
        replace(forward, snippets=(("generated/load.glsl", "value load(ivec3 at) { return value(0.0); }"),)),
    ]
    for each in apart:
        assert each.constants["READS_REAL"]
        assert each.constants["SOURCE_COLUMNS"] in (10, 16)
        assert each.bindings.source.storage == each.source_storage


@pytest.mark.parametrize(("shape", "two"), [((3, 6), True), ((4, 7), True), ((3, 7), False)])
def test_staged_real_rows_are_fetched_two_numbers_at_once(shape: tuple[int, int], two: bool) -> None:
    """Where there is an even number of them in a layer, so that each layer and group begins at an even one."""
    spec = real_rows(shape)
    assert spec.constants["READS_TWO"] is two
    assert spec.constants["READS_REAL"] is not two
    assert spec.bindings.source.storage.components == (2 if two else 1)
    without = replace(spec, source_region=Region((0, 0), (2, shape[1])))
    assert not without.constants["READS_TWO"]


@each_layers
@each_storage
def test_the_bytes_moved_are_those_of_the_images(ctx: moderngl.Context, storage: Storage, layers: int | None) -> None:
    image = images.blank(ctx, (8, 16), storage, layers)
    size = image.size if storage.buffer else len(image.read())
    with glfft.Plan(ctx, (8, 16), layers=layers, storage=storage.name, algorithm="cooley-tukey-stages") as plan:
        assert plan.bytes_moved == 2 * plan.dispatches * size
    release(image)
