"""A mask while it is painted: steps undone and done again, and the rows to send to the GPU."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from glfft.apps.spectrum.peaks import Peak
from glfft.apps.spectrum.sketch import Sketch
from glfft.apps.spectrum.strokes import TOOLS, Stroke, full_mask, paint

POINTS = st.tuples(st.floats(-30, 30), st.floats(-30, 30))
STROKES = st.tuples(st.sampled_from(TOOLS), st.floats(0.5, 20), st.lists(POINTS, min_size=1, max_size=4))


def draw(sketch: Sketch, tool: str, radius: float, points: list[tuple[float, float]]) -> None:
    sketch.pen = replace(sketch.pen, tool=tool, radius=radius)
    sketch.begin(points[0])
    for point in points[1:]:
        sketch.extend(point)
    sketch.end()


@given(shape=st.tuples(st.integers(2, 20), st.integers(2, 20)), strokes=st.lists(STROKES, min_size=1, max_size=4))
def test_steps_are_undone_and_done_again(
    shape: tuple[int, int], strokes: list[tuple[str, float, list[tuple[float, float]]]]
) -> None:
    sketch = Sketch(shape)
    states = [sketch.mask.copy()]
    for stroke in strokes:
        draw(sketch, *stroke)
        if not np.array_equal(sketch.mask, states[-1]):  # else there is nothing to undo
            states.append(sketch.mask.copy())
    final = states[-1]
    for state in states[-2::-1]:
        sketch.undo()
        assert np.array_equal(sketch.mask, state)
    assert sketch.is_blank
    for _ in states:
        sketch.redo()
    assert np.array_equal(sketch.mask, final)
    sketch.reset()
    assert np.all(sketch.mask == 1)
    sketch.undo()
    assert np.array_equal(sketch.mask, final)


@given(shape=st.tuples(st.integers(2, 20), st.integers(2, 20)), strokes=st.lists(STROKES, min_size=1, max_size=4))
def test_the_rows_named_are_all_that_changed(
    shape: tuple[int, int], strokes: list[tuple[str, float, list[tuple[float, float]]]]
) -> None:
    sketch = Sketch(shape)
    assert sketch.changed_rows() == [(0, shape[0])]
    copy = sketch.mask.copy()
    for tool, radius, points in strokes:
        sketch.pen = replace(sketch.pen, tool=tool, radius=radius)
        sketch.begin(points[0])
        for point in [*points, points[0]]:
            sketch.extend(point)
            for first, end in sketch.changed_rows():
                copy[first:end] = sketch.mask[first:end]
            assert np.array_equal(copy, sketch.mask)
        sketch.end()
        sketch.undo()
        for first, end in sketch.changed_rows():
            copy[first:end] = sketch.mask[first:end]
        assert np.array_equal(copy, sketch.mask)


def test_a_brush_drawn_point_by_point_is_its_stroke() -> None:
    sketch = Sketch((40, 50))
    points = [(3.0, 4.0), (8.0, 4.5), (9.0, -12.0)]
    draw(sketch, "brush", 3.0, points)
    expected = full_mask((40, 50))
    paint(expected, replace(sketch.pen, points=tuple(points)))
    assert np.array_equal(sketch.mask, expected)


def test_a_ring_follows_the_pen() -> None:
    sketch = Sketch((40, 50))
    draw(sketch, "ring", 2.0, [(3.0, 4.0), (0.0, 12.0)])
    expected = full_mask((40, 50))
    paint(expected, Stroke("ring", ((0.0, 12.0),), radius=2.0))
    assert np.array_equal(sketch.mask, expected)


def test_other_peaks_take_the_place_of_those_marked() -> None:
    sketch = Sketch((40, 50))
    draw(sketch, "brush", 2.0, [(1.0, 20.0)])
    painted = sketch.mask.copy()
    peaks = [Peak((10.0, 10.0), 30.0), Peak((5.0, -9.0), 20.0)]
    sketch.mark(peaks, 2.0)
    assert sketch.marked == 2
    sketch.mark(peaks[:1], 2.0)
    assert sketch.marked == 1
    assert sketch.mask[10, 10] == 0
    assert sketch.mask[5, -9] == 1
    sketch.mark([], 2.0)
    assert sketch.marked == 0
    assert np.array_equal(sketch.mask, painted)
