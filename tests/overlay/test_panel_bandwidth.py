"""The speed of a copy: bytes over time, measured once."""

from __future__ import annotations

import numpy as np
import pytest

from glfft.errors import ContextError
from glfft.gl import releasable
from glfft.overlay import panel


@pytest.fixture(autouse=True)
def nothing_measured(monkeypatch):
    monkeypatch.setattr(panel, "_measured", {})


@pytest.fixture
def clock(monkeypatch):
    """A clock on which the copies take 5, 9, 4, 8 and 7 us, and what comes before them 3."""
    at = iter(np.cumsum([0, 3, 5, 9, 4, 8, 7]) * 1000)

    class Clock:
        def __init__(self, ctx):
            pass

        def mark(self):
            return int(next(at))

        def take(self, mark):
            return mark

        def release(self):
            pass

    for name in ("GpuClock", "WallClock"):
        monkeypatch.setattr(panel, name, Clock)


@pytest.mark.parametrize("software", [False, True])
def test_it_is_the_fastest_of_the_copies_after_the_first(ctx, clock, monkeypatch, software):
    monkeypatch.setattr(panel, "is_software", lambda _: software)
    monkeypatch.setattr(panel, "_SIZE", (96, 64))
    monkeypatch.setattr(panel, "_SOFTWARE_SIZE", (64, 32))
    texels = 64 * 32 if software else 96 * 64
    assert panel.copy_bandwidth(ctx) == pytest.approx(16 * texels / 4e-6)
    assert panel.copy_bandwidth(ctx) == pytest.approx(16 * texels / 4e-6), "kept: the clock has run out"
    assert ctx.error == "GL_NO_ERROR"


def test_every_texel_is_copied(ctx, monkeypatch):
    monkeypatch.setattr(panel, "_SIZE", (96, 64))
    monkeypatch.setattr(panel, "is_software", lambda _: False)
    kept = []
    release = releasable.release_all
    monkeypatch.setattr(
        releasable,
        "release_all",
        lambda items: (kept.extend(np.frombuffer(each.read(), np.float32) for each in items[:2]), release(items)),
    )
    assert panel.copy_bandwidth(ctx) > 0
    source, target = kept
    assert np.array_equal(source, target)
    assert len(np.unique(source)) > 0.5 * source.size


def test_a_device_without_room_is_an_error(ctx, monkeypatch):
    def refuse(*_):
        raise ContextError("no memory")

    monkeypatch.setattr(panel, "check_errors", refuse)
    monkeypatch.setattr(panel, "_SOFTWARE_SIZE", (64, 32))
    monkeypatch.setattr(panel, "_SIZE", (64, 32))
    with pytest.raises(ContextError):
        panel.copy_bandwidth(ctx)
