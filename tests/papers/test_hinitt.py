"""All of Hinitt and Kocak's chapter measured, and what is shown of it."""

from __future__ import annotations

import moderngl
import pytest
from support.papers import spread

from glfft.papers import hinitt, hinitt_batches, hinitt_receiver, hinitt_streams
from glfft.papers.chapter import Measured
from glfft.papers.grid import Grid
from glfft.papers.hinitt import Hinitt
from glfft.papers.hinitt_steps import EIGHT, LOCKED, PLAIN, RADIX_8
from glfft.papers.run import Run


def test_everything_is_measured(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hinitt, "QUICK_BATCHES", (1, 2))
    monkeypatch.setattr(hinitt, "STREAM_BATCHES", dict.fromkeys((False, True), 8))
    monkeypatch.setattr(hinitt_streams, "BLOCKS", 2)
    # Others take long to compile. Streams of each width are tested below.
    monkeypatch.setattr(hinitt, "_ALGORITHMS", (RADIX_8,))
    monkeypatch.setattr(hinitt, "STEPS", (PLAIN, LOCKED, EIGHT))
    # Measured in tests of their own.
    received = {"receiver": Grid({("float32", 22): spread(1.0)}), "errors": Grid({("float32", "8 dB"): spread(0.2)})}
    monkeypatch.setattr(hinitt_receiver, "measure", lambda run: received)
    monkeypatch.setattr(hinitt_batches, "on_device", lambda run, case: {})
    monkeypatch.setattr(hinitt_batches, "measure", lambda run, count: {"divided": Grid(), "parts": Grid()})
    run = Run(ctx, 5, quick=True)
    measured = Hinitt().measure(run)
    run.release()
    assert measured["batches"].points == [1, 2]
    assert {PLAIN.name, LOCKED.name, EIGHT.name, "scipy"} <= {row for row, _ in measured["streams"].values}
    again = Measured({name: Grid.from_json(grid.to_json()) for name, grid in measured.items()})
    assert len(Hinitt().conclusions(again)) == 21
    assert [table.title for table in Hinitt().tables(again) if not table.rows] == [
        "One batch divided over streams here", "Operations a second here",
        "Where the time goes here", "What each part takes here",
    ]  # fmt: skip
    assert Hinitt().figures(again)[0].published["steps"]["mapped"] == 2.83 / 4.15
