"""Passes as data: what they say of themselves follows from what they read and write."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import moderngl
import pytest
from support import images
from support.images import release
from support.requests import axis_request

import glfft
from glfft.algorithms.line_layout import Points
from glfft.algorithms.passes import FourStepPart, PassSpec
from glfft.algorithms.storage import STORAGES, Access, Storage

each_storage = pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)
each_layers = pytest.mark.parametrize("layers", [None, 1, 3], ids=lambda layers: f"layers={layers}")


def spec_of(shape: tuple[int, int] = (4, 8), axis: int = 1, *, request: Any = None, **fields: Any) -> PassSpec:
    """A pass that copies."""
    defines = (("THREADS", 8), ("BACKWARDS", False))
    return PassSpec("fft/copy.comp", request or axis_request(shape, axis), defines, (1, 1, 1), 8, **fields)


def test_parts_of_lines_are_lines_of_their_own() -> None:
    whole = axis_request((6, 32))
    part = replace(whole, part=FourStepPart(length=8, before=(), after=4))
    assert (whole.length, whole.lines, whole.line_name) == (32, 6, "rows")
    assert (part.length, part.lines, part.line_name) == (8, 24, "parts of rows")
    assert (whole.measured_axis, part.measured_axis) == (1, 0)
    assert whole.points == part.points == 6 * 32


def test_the_plain_request_is_one_for_both_directions() -> None:
    forward = axis_request((6, 32), layers=2)
    for changes in ({"direction": +1, "scale": 0.5}, {"real_pairs": True}, {"inverse_scale": 2.0}):
        assert replace(forward, **changes) != forward
        assert replace(forward, **changes).plain == forward
    assert replace(forward, axis=0).plain != forward


def test_backwards_changes_the_order_and_nothing_else() -> None:
    spec = spec_of()
    assert replace(spec.backwards, defines=spec.defines) == spec
    assert dict(spec.backwards.defines) == {"THREADS": 8, "BACKWARDS": True}
    without = replace(spec, defines=(("THREADS", 8),))
    assert without.backwards == without


def test_a_source_is_fetched_unless_an_image_is_preferred() -> None:
    assert spec_of().access is Access.FETCH
    preferring = spec_of(prefers_image_loads=True)
    assert preferring.access is Access.IMAGE_LOAD
    assert preferring.fetching.access is Access.FETCH
    assert "SOURCE_FORMAT rg32f" in preferring.source.text
    buffers = axis_request((4, 8), storage=STORAGES["buffer"])
    assert spec_of(request=buffers, prefers_image_loads=True).access is Access.BUFFER_FETCH
    in_double = axis_request((4, 8), storage=STORAGES["buffer_double"])
    assert spec_of(request=in_double, prefers_image_loads=True).access is Access.BUFFER


def test_what_moves_points_keeps_no_places() -> None:
    spec = spec_of(stores_where_it_loads=True)
    assert spec.keeps_places
    assert not spec_of().keeps_places
    assert not replace(spec, reads=Points.REAL, writes=Points.HERMITIAN).keeps_places
    for path, keeps in (("load", False), ("store", False), ("multiply", True)):
        assert replace(spec, snippets=((f"generated/{path}.glsl", ""),)).keeps_places is keeps


@pytest.mark.parametrize("axis", [0, 1])
def test_half_a_spectrum_is_half_the_lines(axis: int) -> None:
    spec = spec_of((6, 8), axis, reads=Points.REAL, writes=Points.HERMITIAN)
    assert spec.source_lines.shape == (6, 8)
    half = (6, 5) if axis == 1 else (4, 8)
    assert spec.target_lines.shape == half
    assert spec.source_lines.length == spec.target_lines.length == (6, 8)[axis]
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
