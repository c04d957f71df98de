"""Passes as data: what they say of themselves follows from what they read and write."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import pytest
from support import images
from support.images import release
from support.requests import axis_request, spec_of

import glfft
from glfft.algorithms.pass_bindings import Place
from glfft.algorithms.regions import Points
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


@each_layers
@each_storage
def test_the_bytes_moved_are_those_of_the_images(ctx: moderngl.Context, storage: Storage, layers: int | None) -> None:
    image = images.blank(ctx, (8, 16), storage, layers)
    size = image.size if storage.buffer else len(image.read())
    with glfft.Plan(ctx, (8, 16), layers=layers, storage=storage.name, algorithm="cooley-tukey-stages") as plan:
        assert plan.bytes_moved == 2 * plan.dispatches * size
    release(image)
