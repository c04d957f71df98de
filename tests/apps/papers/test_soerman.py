"""Soerman's points as data, his transform measured, and his conclusions."""

from __future__ import annotations

import pytest
from support.papers import spread

from glfft.apps.papers import soerman
from glfft.apps.papers.claims import FAILS, HOLDS, UNTESTED, Conclusion, Grid, Measured
from glfft.apps.papers.measuring import Run
from glfft.apps.papers.soerman import CUDA, MASKS, ON_WRITING, OWN, Soerman


def test_squares_lines_and_batches_are_measured(quick_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soerman, "QUICK_SIDES", (16,))
    monkeypatch.setattr(soerman, "QUICK_LENGTHS", (16,))
    monkeypatch.setattr(soerman, "QUICK_BATCHES", (2,))
    monkeypatch.setattr(soerman, "BATCH_LENGTH", 16)
    monkeypatch.setattr(soerman, "QUICK_SQUARES", (2,))
    monkeypatch.setattr(soerman, "SQUARES_SIDE", 16)
    measured = Soerman().measure(quick_run)
    assert {name: grid.points for name, grid in measured.items()} == {
        "2-D": [16], "1-D": [16], "batches": [2], "batches of squares": [2]
    }  # fmt: skip
    assert all(
        {OWN, ON_WRITING, MASKS, "auto", "scipy"} <= {row for row, _ in grid.values} for grid in measured.values()
    )


def conclusion(ratio: str, grids: dict[str, Grid], software: bool = False) -> Conclusion:
    found = Soerman().conclusions(Measured(grids, software))
    return next(each for each in found if each.ratio == ratio)


def test_what_follows_from_his_own_points() -> None:
    opengl = conclusion("OpenGL / CUDA", {}).published
    assert {n: round(ratio, 2) for n, ratio in opengl.items()} == {256: 1.28, 512: 1.48, 1024: 1.46, 2048: 1.34}
    opencl = conclusion("OpenCL / CUDA", {}).published
    assert (round(min(opencl.values()), 2), round(max(opencl.values()), 2)) == (1.79, 2.22)
    by_hand = conclusion("his transform in CUDA / cuFFT", {}).published
    assert (round(min(by_hand.values()), 2), round(max(by_hand.values()), 2)) == (2.54, 4.26)
    # OpenGL is slower than FFTW at 2^12 points, faster from 2^14 on.
    pays = conclusion("his transform / the CPU's library, one line", {}).published
    assert [length for length, ratio in pays.items() if ratio < 1] == [2**14, 2**16, 2**18, 2**20]
    line = {row: cells[2**20].middle for row, cells in Soerman().published["1-D"].cells.items()}
    assert line["OpenGL"] > line["OpenCL"]
    assert round(line["OpenGL"] / line["CUDA"], 2) == 1.68
    assert round(line["CUDA"] / line["cuFFT"], 2) == 5.43


def test_languages_are_compared_where_there_is_cuda() -> None:
    times = {ON_WRITING: 1.45, CUDA: 1.0, "cufft": 0.4}
    grids = {"2-D": Grid({(row, 256): spread(time, 0.0) for row, time in times.items()})}
    assert conclusion("OpenGL / CUDA", grids).verdicts == {256: HOLDS}
    # CUDA with CUDA, 2.5 times.
    assert conclusion("his transform in CUDA / cuFFT", grids).verdicts == {256: FAILS}


def test_what_opengl_cannot_run_cannot_be_tested() -> None:
    for language in ("OpenCL", "DirectCompute", "OpenMP"):
        found = conclusion(f"{language} / CUDA", {})
        assert found.verdict == UNTESTED
        assert found.reason


def test_a_gpu_is_compared_with_the_cpu_and_a_software_renderer_is_not() -> None:
    times = {
        (ON_WRITING, 256): 5.0,
        ("scipy", 256): 2.0,
        (ON_WRITING, 2**16): 5.0,
        ("scipy", 2**16): 20.0,
        ("cufft", 2**16): 1.0,
    }
    grids = {"1-D": Grid({key: spread(time) for key, time in times.items()})}
    ratio = "his transform / the CPU's library, one line"
    assert conclusion(ratio, grids).verdicts == {2**16: HOLDS}
    assert conclusion(ratio, grids, software=True).verdict == UNTESTED
    assert "software renderer" in conclusion(ratio, grids, software=True).notes[0]


def test_a_square_in_a_batch_is_compared_with_one_alone() -> None:
    times = {(OWN, 1): 10.0, (OWN, 8): 20.0}
    grids = {"batches of squares": Grid({key: spread(time, 0.0) for key, time in times.items()})}
    figure = next(each for each in Soerman().figures(Measured(grids)) if each.points_name == "squares")
    assert figure.here[OWN][8].middle == pytest.approx(0.25)
