"""Two ways to compute a sea: equal ones do not differ, half precision differs by what it rounds."""

from __future__ import annotations

import moderngl
import pytest

from glfft.errors import AlgorithmError
from glfft.sea.compare import Way, compare
from glfft.sea.settings import OceanSettings

pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SEA = OceanSettings(size=64, tile=200.0, cascades=2)


def test_a_way_does_not_differ_from_itself_and_half_precision_rounds(ctx: moderngl.Context):
    same = compare(ctx, SEA, Way(), Way(), 3.0, samples=5)
    assert (same.largest, same.rms) == (0.0, 0.0)
    assert same.dispatches == (2, 2)
    half = compare(ctx, SEA, Way(dtype="f4"), Way(dtype="f2"), 3.0, samples=5)
    assert half.errors[0] < 0.01 < half.errors[1] < 1.0
    assert half.rms == pytest.approx(half.errors[1], rel=0.1)
    assert half.rms < half.largest < 10
    assert all(timing.microseconds > 0 for timing in half.times)


def test_algorithms_differ_by_rounding_only(ctx: moderngl.Context):
    found = compare(ctx, SEA, Way("auto", "f4"), Way("cooley-tukey", "f4"), 3.0, samples=5)
    assert 0 < found.rms < 0.01
    with pytest.raises(AlgorithmError):
        compare(ctx, SEA, Way("slow"), Way())


def test_fusion_saves_dispatches_and_changes_rounding_only(ctx: moderngl.Context):
    found = compare(ctx, SEA, Way(dtype="f4"), Way(dtype="f4", fused=False), 3.0, samples=5)
    assert found.dispatches == (2, 6)
    assert found.rms < 0.01
    assert max(found.errors) < 0.01
