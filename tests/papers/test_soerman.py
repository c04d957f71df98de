"""Soerman's points as data, his transform measured, and his conclusions."""

from __future__ import annotations

import moderngl
import pytest
from support.papers import spread

from glfft.papers import soerman
from glfft.papers.chapter import HOLDS, UNTESTED, Measured
from glfft.papers.grid import Grid
from glfft.papers.run import Run
from glfft.papers.soerman import CUDA, MASKS, OWN, Soerman


def test_squares_lines_and_batches_are_measured(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soerman, "QUICK_SIDES", (16,))
    monkeypatch.setattr(soerman, "QUICK_LENGTHS", (16,))
    monkeypatch.setattr(soerman, "QUICK_BATCHES", (2,))
    monkeypatch.setattr(soerman, "BATCH_LENGTH", 16)
    run = Run(ctx, 5, quick=True)
    measured = Soerman().measure(run)
    run.release()
    assert {name: grid.points for name, grid in measured.items()} == {"2-D": [16], "1-D": [16], "batches": [2]}
    assert all({OWN, MASKS, "auto", "scipy"} <= {row for row, _ in grid.values} for grid in measured.values())


def test_what_the_paper_says_of_its_own_points() -> None:
    opengl, opencl, by_hand, pays, _ = Soerman().conclusions(Measured({"2-D": Grid(), "1-D": Grid()}))
    assert {n: round(ratio, 1) for n, ratio in opengl.published.items()} == {256: 1.3, 512: 1.5, 1024: 1.5, 2048: 1.3}
    assert 1.7 < min(opencl.published.values()) < max(opencl.published.values()) < 2.3
    assert 2.5 < min(by_hand.published.values()) < max(by_hand.published.values()) < 4.5
    assert round(pays.published[2**20], 2) == 0.21


def test_opengl_is_compared_with_cuda_where_there_is_cuda() -> None:
    squares = Grid({(OWN, 256): spread(1.45), (CUDA, 256): spread(1.0, 0.0)})
    opengl, *_ = Soerman().conclusions(Measured({"2-D": squares, "1-D": Grid()}))
    assert opengl.verdicts == {256: HOLDS}


def test_a_gpu_is_compared_with_the_cpu_and_a_software_renderer_is_not() -> None:
    times = {(OWN, 256): 5.0, ("scipy", 256): 2.0, (OWN, 2**16): 5.0, ("scipy", 2**16): 20.0, ("cufft", 2**16): 1.0}
    grids = {"2-D": Grid(), "1-D": Grid({key: spread(time) for key, time in times.items()})}
    *_, above, below = Soerman().conclusions(Measured(grids))
    assert above.verdicts == {2**16: HOLDS}
    assert below.verdicts == {256: HOLDS}
    *_, above, below = Soerman().conclusions(Measured(grids, software=True))
    assert (above.verdict, below.verdict) == (UNTESTED, UNTESTED)
    assert "software renderer" in above.sentence
