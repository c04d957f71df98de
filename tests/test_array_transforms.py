"""How arrays go through plans: as few steps as fit, and few plans and buffers kept."""

from __future__ import annotations

from collections import OrderedDict

import moderngl
import numpy as np
import pytest
from support.tolerances import assert_close

import glfft
from glfft import array_transforms
from glfft.apps.signal_to_noise import random_complex
from glfft.array_transforms import Transform, _Block, _block, _Step, _steps
from glfft.engine.request import FORWARD, INVERSE
from glfft.errors import LimitError
from glfft.gl.context import state_of


def axes_of(kind: Transform, axes: tuple[int, ...], lengths: tuple[int, ...], most: int) -> list[tuple[int, ...]]:
    """The axes of each step, in order."""
    steps = _steps(kind, axes, lengths, most)
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
        steps = _steps(Transform(direction, real=True), (0, 1, 2), lengths, most=16)
        assert [step.kind.real for step in steps] == real
    # The axis that is halved stays the last of its step, wherever it lies in the array.
    assert axes_of(Transform(FORWARD, real=True), (2, 0), (4, 4), most=16) == [(2, 0)]


def test_axes_are_transformed_where_they_lie_in_memory() -> None:
    def block_of(axes: tuple[int, ...], real: bool = False) -> _Block | None:
        return _block(_Step(Transform(FORWARD, real), axes, axes_lengths(axes)), (3, 4, 5, 6, 7))

    def axes_lengths(axes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(8 + axis for axis in axes)

    assert block_of((4,)) == _Block(4, (12,), (0,))
    assert block_of((0,)) == _Block(0, (8, 4 * 5 * 6 * 7), (0,))
    assert block_of((2, 3)) == _Block(2, (10, 11, 7), (0, 1))
    assert block_of((2, 4)) == _Block(2, (10, 6, 12), (0, 2))
    assert block_of((1, 4)) == _Block(1, (9, 5 * 6, 12), (0, 2))
    assert block_of((1, 3)) is None, "four axes are too many"
    assert block_of((2, 4), real=True) == block_of((2, 4))
    assert block_of((4, 2), real=True) is None, "plans halve the last axis"


AXES = [(0,), (1,), (3,), (0, 2), (1, 2), (0, 3), (1, 2, 3), (0, 1, 2), (2, 0)]


@pytest.mark.parametrize("axes", AXES)
def test_arrays_of_many_numbers_over_any_axes(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, axes: tuple[int, ...]
) -> None:
    monkeypatch.setattr(array_transforms, "_FEW", 0)
    array = random_complex((2, 3, 4, 5), double=True)
    assert_close(glfft.fftn(array, axes=axes, ctx=ctx), np.fft.fftn(array, axes=axes))
    half = np.fft.rfftn(array.real, axes=axes)
    assert_close(glfft.rfftn(array.real, axes=axes, ctx=ctx), half)
    lengths = [array.shape[axis] for axis in axes]
    assert_close(glfft.irfftn(half, lengths, axes, ctx=ctx), array.real)


def test_a_batch_of_blocks_goes_in_several_runs(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_transforms, "_FEW", 0)
    monkeypatch.setattr(array_transforms, "_MOST_AT_ONCE", 2 * 60)
    array = random_complex((5, 3, 4, 5), double=True)
    for axes in ((1, 2, 3), (1,)):
        assert_close(glfft.fftn(array, axes=axes, ctx=ctx), np.fft.fftn(array, axes=axes))


def test_a_line_longer_than_any_buffer_is_refused() -> None:
    with pytest.raises(LimitError, match="at most 15 complex numbers"):
        _steps(Transform(FORWARD), (0,), (16,), most=15)


def test_lengths_of_real_transforms_are_numpys() -> None:
    forward, inverse = Transform(FORWARD, real=True), Transform(INVERSE, real=True)
    for length in range(1, 10):
        half = np.fft.rfft(np.ones(length)).size
        assert forward.target_length(length) == inverse.source_length(length) == half
        assert forward.source_length(length) == inverse.target_length(length) == length
        if half > 1:
            assert inverse.default_length(half) == np.fft.irfft(np.ones(half)).size


def test_few_plans_and_bytes_are_kept(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_transforms, "_BYTES_KEPT", 3 * 8 * 64)
    kept = state_of(ctx).cache("plans of arrays", OrderedDict)
    latest = []
    for lines in (1, 2, 4, 8, 32):
        glfft.fft(np.ones((lines, 16)), ctx=ctx)
        latest.append(next(reversed(kept.values())).bytes)
        assert len(kept) == 1 or sum(each.bytes for each in kept.values()) <= 3 * 8 * 64
    assert latest == [lines * 16 * 8 for lines in (1, 2, 4, 8, 32)], "the latest is always kept"
    assert len(kept) == 1, "32 lines alone are over the limit"
