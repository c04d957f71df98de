"""What is drawn: numbers short enough for their columns, and on one line what fits there."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("imgui_bundle")

from support.drawing import run

from glfft.overlay.painting import _format
from glfft.overlay.shapes import Canvas


@pytest.mark.parametrize(("ms", "text"), [(0.0, "0.00"), (12.345, "12.35"), (999.9, "999.90"), (1234.5, "1234")])
def test_numbers_stay_short(ms, text):
    assert _format(ms) == text
    assert _format(math.nan) == "–"


def test_one_line_has_the_time_the_rate_and_who_sets_the_pace(profiler, framebuffer, overlay, monkeypatch):
    written = []
    write = Canvas.text
    monkeypatch.setattr(Canvas, "text", lambda *a, **k: written.append((a[3], a[1])) or write(*a, **k))
    run(profiler, framebuffer, overlay, frames=4)
    written.clear()
    overlay.view = "folded"
    overlay.render()
    words = [word for word, _ in written]
    assert words[1::2] == ["ms", "fps"]
    assert words[4] == profiler.balance().bound
    # Each begins where the one before has ended.
    assert [x for _, x in written] == sorted(x for _, x in written)
