"""Arrays go through few plans, and few plans and buffers are kept."""

from __future__ import annotations

from collections import OrderedDict

import moderngl
import numpy as np
import pytest
from support.kernels import restrict_device
from support.tolerances import assert_close

import glfft
from glfft.apps.signal_to_noise import random_complex
from glfft.arrays import kept_plans
from glfft.gl.context import state_of

AXES = [(0,), (1,), (3,), (0, 2), (1, 2), (0, 3), (1, 2, 3), (0, 1, 2), (2, 0)]


@pytest.mark.parametrize("axes", AXES)
def test_arrays_of_many_numbers_over_any_axes(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, axes: tuple[int, ...]
) -> None:
    monkeypatch.setattr(kept_plans, "_FEW", 0)
    array = random_complex((2, 3, 4, 5), double=True)
    assert_close(glfft.fftn(array, axes=axes, ctx=ctx), np.fft.fftn(array, axes=axes))
    half = np.fft.rfftn(array.real, axes=axes)
    assert_close(glfft.rfftn(array.real, axes=axes, ctx=ctx), half)
    lengths = [array.shape[axis] for axis in axes]
    assert_close(glfft.irfftn(half, lengths, axes, ctx=ctx), array.real)


def test_a_batch_of_blocks_goes_in_several_runs(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_plans, "_FEW", 0)
    monkeypatch.setattr(kept_plans, "_MOST_AT_ONCE", 2 * 60)
    array = random_complex((5, 3, 4, 5), double=True)
    for axes in ((1, 2, 3), (1,)):
        assert_close(glfft.fftn(array, axes=axes, ctx=ctx), np.fft.fftn(array, axes=axes))


def test_a_run_has_no_more_layers_than_a_dispatch_has_groups(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    restrict_device(ctx, monkeypatch, group_count=(65535, 4, 65535))
    array = random_complex((9, 2, 3), double=True)
    assert_close(glfft.fft2(array, ctx=ctx), np.fft.fft2(array))
    latest = next(reversed(state_of(ctx).cache("plans of arrays", OrderedDict).values()))
    assert latest._plan.request.layers <= 4


class Held:
    """What is kept, of no bytes."""

    bytes = 0

    def release(self) -> None:
        pass


def test_what_was_used_last_is_kept(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_plans, "_PLANS_KEPT", 2)
    monkeypatch.setitem(state_of(ctx).caches, "plans of arrays", OrderedDict())
    for key in ("a", "b", "a", "c"):
        kept_plans.kept(ctx, key, Held)
    assert list(state_of(ctx).cache("plans of arrays", OrderedDict)) == ["a", "c"]


def test_few_plans_and_bytes_are_kept(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_plans, "_BYTES_KEPT", 3 * 8 * 64)
    kept = state_of(ctx).cache("plans of arrays", OrderedDict)
    latest = []
    for lines in (1, 2, 4, 8, 32):
        glfft.fft(np.ones((lines, 16)), ctx=ctx)
        latest.append(next(reversed(kept.values())).bytes)
        assert len(kept) == 1 or sum(each.bytes for each in kept.values()) <= 3 * 8 * 64
    assert latest == [lines * 16 * 8 for lines in (1, 2, 4, 8, 32)], "the latest is always kept"
    assert len(kept) == 1, "32 lines alone are over the limit"
