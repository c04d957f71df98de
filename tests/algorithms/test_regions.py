"""Regions as data, and what is left of them between the axes of a transform."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glfft.algorithms.regions import Region, crossing_constants, end_constants, half_shape, regions_between

SHAPE = (6, 9, 7)


@st.composite
def regions(draw: st.DrawFn) -> Region:
    ends = [sorted(draw(st.lists(st.integers(0, n), min_size=2, max_size=2, unique=True))) for n in SHAPE]
    return Region(tuple(first for first, _ in ends), tuple(end - first for first, end in ends))


@given(regions(), regions(), st.permutations(range(3)), st.integers(1, 3))
def test_an_axis_changes_once_it_is_transformed(source: Region, target: Region, order: list[int], count: int) -> None:
    axes = order[:count]
    found = regions_between(axes, source, target)
    assert (found[0], found[-1], len(found)) == (source, target, count + 1)
    for number, region in enumerate(found[1:-1], start=1):
        for axis in range(3):
            waits = axis in axes[number:]
            expected = source if waits else target
            assert (region.first[axis], region.shape[axis]) == (expected.first[axis], expected.shape[axis])


@given(regions(), regions())
def test_a_region_holds_what_numpys_slices_hold(outer: Region, inner: Region) -> None:
    for axis, length in enumerate(SHAPE):
        points = [np.arange(length)[each.first[axis] : each.first[axis] + each.shape[axis]] for each in (outer, inner)]
        assert outer.holds(inner, axis) == np.isin(points[1], points[0]).all()


def test_shaders_ask_only_where_points_may_be_outside() -> None:
    region, asked = Region((2, 0), (4, 9)), Region((0, 3), (6, 2))
    constants = end_constants("SOURCE", region, asked, "mirror", anywhere=False)
    assert (constants["SOURCE_ENDS_X"], constants["SOURCE_ENDS_Y"]) == (False, True)
    assert (constants["SOURCE_FIRST"], constants["SOURCE_SHIFT"]) == ("ivec3(0, 2, 0)", "ivec3(0, 6, 0)")
    assert end_constants("TARGET", Region((), SHAPE), asked, "zero", anywhere=True) == {"TARGET_REGION": False}
    assert crossing_constants(Region((1, 2, 3), SHAPE), 1)["CROSSING_FIRST"] == "ivec2(3, 1)"
    assert crossing_constants(None, 1) == {"CROSSING": False}


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(6, 8), (5, 9), (2, 3), (1, 1)])
def test_half_a_spectrum_has_the_shape_of_numpys(shape: tuple[int, int], axis: int) -> None:
    assert half_shape(shape, axis) == np.fft.rfft(np.ones(shape), axis=axis).shape
