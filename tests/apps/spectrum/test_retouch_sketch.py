"""A mask while it is painted: steps undone and done again, and the blocks to send to the GPU."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from glfft.apps.spectrum.retouch import Sketch
from glfft.apps.spectrum.screens import Peak
from glfft.apps.spectrum.strokes import TOOLS, Stroke, paint

# Shapes of one tile and of several.
SHAPES = st.tuples(st.integers(2, 20) | st.integers(60, 140), st.integers(2, 20) | st.integers(60, 140))
POINTS = st.tuples(st.floats(-30, 30), st.floats(-30, 30))
STROKES = st.tuples(st.sampled_from(TOOLS), st.floats(0.5, 20), st.lists(POINTS, min_size=1, max_size=4))


def draw(sketch: Sketch, tool: str, radius: float, points: list[tuple[float, float]]) -> None:
    sketch.pen = replace(sketch.pen, tool=tool, radius=radius)
    sketch.begin(points[0])
    for point in points[1:]:
        sketch.extend(point)
    sketch.end()


@given(shape=SHAPES, strokes=st.lists(STROKES, min_size=1, max_size=4))
@settings(max_examples=40)
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


@given(shape=SHAPES, strokes=st.lists(STROKES, min_size=1, max_size=4))
@settings(max_examples=40)
def test_the_blocks_named_are_all_that_changed(
    shape: tuple[int, int], strokes: list[tuple[str, float, list[tuple[float, float]]]]
) -> None:
    sketch = Sketch(shape)
    copy = np.full(shape, np.nan)

    def follow() -> None:
        for block in sketch.changed_blocks():
            copy[block] = sketch.mask[block]
        assert np.array_equal(copy, sketch.mask)
        assert sketch.changed_blocks() == []

    follow()
    for tool, radius, points in strokes:
        sketch.pen = replace(sketch.pen, tool=tool, radius=radius)
        sketch.begin(points[0])
        for point in [*points, points[0]]:
            sketch.extend(point)
            follow()
        for act in (sketch.end, sketch.undo, sketch.redo, sketch.reset, sketch.undo):
            act()
            follow()


def test_after_a_new_stroke_nothing_is_done_again() -> None:
    sketch = Sketch((30, 40))
    draw(sketch, "brush", 2.0, [(3.0, 4.0)])
    sketch.undo()
    draw(sketch, "brush", 2.0, [(-8.0, 4.0)])
    mask = sketch.mask.copy()
    sketch.redo()
    assert np.array_equal(sketch.mask, mask)


def test_a_small_brush_changes_little_of_a_large_mask() -> None:
    sketch = Sketch((1000, 1500))
    sketch.changed_blocks()
    sketch.pen = replace(sketch.pen, radius=5.0)
    sketch.begin((200.0, 300.0))
    assert sum(sketch.mask[block].size for block in sketch.changed_blocks()) <= 4 * 64 * 64


def test_a_slow_pen_paints_where_it_is_lifted() -> None:
    sketch = Sketch((400, 500))
    draw(sketch, "brush", 64.0, [(100.0, 100.0 + across) for across in np.linspace(0, 1.5, 40)])
    expected = np.ones((400, 500), np.float32)
    paint(expected, replace(sketch.pen, points=((100.0, 100.0), (100.0, 101.5))))
    assert np.array_equal(sketch.mask, expected)


@given(
    shape=SHAPES,
    points=st.lists(st.tuples(st.integers(-30, 30), st.integers(-30, 30)), min_size=2, max_size=6),
    radii=st.tuples(st.floats(0.5, 20), st.floats(0.5, 20)),
)
@settings(max_examples=40)
def test_a_brush_drawn_point_by_point_is_its_stroke(
    shape: tuple[int, int], points: list[tuple[float, float]], radii: tuple[float, float]
) -> None:
    assume(all(before != point for before, point in itertools.pairwise(points)))  # a pen that rests paints nothing
    sketch, expected = Sketch(shape), np.ones(shape, np.float32)
    sketch.pen = replace(sketch.pen, radius=radii[0])
    sketch.begin(points[0])
    for index, (before, point) in enumerate(itertools.pairwise(points)):
        if index == 1:  # on the way the brush changes
            sketch.pen = replace(sketch.pen, radius=radii[1])
        sketch.extend(point)
        paint(expected, replace(sketch.pen, points=(before, point)))
    sketch.end()
    # Distances are rounded to float32.
    assert np.allclose(sketch.mask, expected, atol=1e-4)


def test_a_ring_follows_the_pen() -> None:
    sketch = Sketch((40, 50))
    draw(sketch, "ring", 2.0, [(3.0, 4.0), (0.0, 12.0)])
    expected = np.ones((40, 50), np.float32)
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
