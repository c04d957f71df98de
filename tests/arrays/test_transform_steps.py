"""Transforms over many axes go in as few steps as fit."""

from __future__ import annotations

import pytest

from glfft.arrays.transform import Block, Step, Transform, block_of, steps_over
from glfft.engine.request import FORWARD, INVERSE
from glfft.errors import LimitError


def axes_of(kind: Transform, axes: tuple[int, ...], lengths: tuple[int, ...], most: int) -> list[tuple[int, ...]]:
    """The axes of each step, in order."""
    steps = steps_over(kind, axes, lengths, most)
    by_axis = dict(zip(axes, lengths, strict=True))
    assert all(step.lengths == tuple(by_axis[axis] for axis in step.axes) for step in steps)
    return [step.axes for step in steps]


def test_as_many_axes_go_at_once_as_fit_a_buffer() -> None:
    forward = Transform(FORWARD)
    assert axes_of(forward, (0, 1, 2, 3), (4, 4, 4, 4), most=64) == [(1, 2, 3), (0,)]
    assert axes_of(forward, (0, 1, 2, 3), (4, 4, 4, 4), most=16) == [(2, 3), (0, 1)]
    assert axes_of(forward, (0, 1, 2, 3), (4, 4, 4, 4), most=15) == [(3,), (2,), (1,), (0,)]
    assert axes_of(forward, (0, 1, 2), (4, 8, 2), most=16) == [(1, 2), (0,)]
    assert axes_of(forward, (2, 0), (4, 4), most=16) == [(0, 2)], "the later axis is the nearer one in memory"


def test_numbers_are_real_before_the_first_step_forward_and_after_the_last_step_back() -> None:
    lengths = (4, 4, 4)
    for direction, real in ((FORWARD, [True, False]), (INVERSE, [False, True])):
        steps = steps_over(Transform(direction, real=True), (0, 1, 2), lengths, most=16)
        assert [step.kind.real for step in steps] == real
    # The axis that is halved stays the last of its step, wherever it lies in the array.
    assert axes_of(Transform(FORWARD, real=True), (2, 0), (4, 4), most=16) == [(2, 0)]


def test_axes_are_transformed_where_they_lie_in_memory() -> None:
    def found(axes: tuple[int, ...], real: bool = False) -> Block | None:
        return block_of(Step(Transform(FORWARD, real), axes, axes_lengths(axes)), (3, 4, 5, 6, 7))

    def axes_lengths(axes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(8 + axis for axis in axes)

    assert found((4,)) == Block(4, (12,), (0,))
    assert found((0,)) == Block(0, (8, 4 * 5 * 6 * 7), (0,))
    assert found((2, 3)) == Block(2, (10, 11, 7), (0, 1))
    assert found((2, 4)) == Block(2, (10, 6, 12), (0, 2))
    assert found((1, 4)) == Block(1, (9, 5 * 6, 12), (0, 2))
    assert found((1, 3)) is None, "four axes are too many"
    assert found((2, 4), real=True) == found((2, 4))
    assert found((4, 2), real=True) is None, "plans halve the last axis"


def test_a_line_longer_than_any_buffer_is_refused() -> None:
    with pytest.raises(LimitError, match="at most 15 complex numbers"):
        steps_over(Transform(FORWARD), (0,), (16,), most=15)
