"""The clocks: marks come in order, and a sample lies between them."""

from __future__ import annotations

import pytest

from glfft.profiling.timing import GpuClock, WallClock


@pytest.mark.parametrize("kind", [GpuClock, WallClock])
def test_marks_come_in_order_and_samples_between_them(ctx, kind):
    made = kind(ctx)
    marks = [made.mark(), made.mark()]
    ctx.finish()
    assert all(made.ready(mark) for mark in marks)
    first, second = (made.take(mark) for mark in marks)
    sample = made.sample()
    made.release()
    assert 0 < first <= second <= sample.other
    assert sample.error >= 0
    assert made.waited >= 0
