"""Mota's table 2 as data, his transforms measured, and his conclusions."""

from __future__ import annotations

import moderngl
import pytest
from support.papers import spread

from glfft.papers import mota
from glfft.papers.chapter import FAILS, HOLDS, UNTESTED, Measured
from glfft.papers.grid import Grid
from glfft.papers.mota import PUBLISHED, RADIX_2, RADIX_4, SINGLE, STAGES, Mota
from glfft.papers.run import Run


def test_table_2_bears_out_what_the_thesis_says_of_it() -> None:
    assert max(ratio.middle for ratio in PUBLISHED.ratios(["recursive"], ["dft"]).values()) < 0.05
    assert max(ratio.middle for ratio in PUBLISHED.ratios(["dit", "dif"], ["recursive"]).values()) < 1


def test_squares_and_lines_are_measured(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mota, "QUICK_SIDES", (16,))
    monkeypatch.setattr(mota, "QUICK_LENGTHS", (16,))
    run = Run(ctx, 5, quick=True)
    measured = Mota().measure(run)
    run.release()
    assert not measured["2-D"].skipped
    assert {STAGES, SINGLE, RADIX_2, RADIX_4, "auto", "scipy"} <= set(measured["2-D"].rows)
    assert measured["table 2"].rows == ["dft", "dit", "dif", "recursive"]
    here = Mota().tables(Measured(measured))[-1]
    assert {row: list(cells) for row, cells in here.rows.items()} == {"dit": [16], "dif": [16], "recursive": [16]}


def test_conclusions_compare_the_rows_that_they_name() -> None:
    times = {STAGES: 8.0, SINGLE: 4.0, RADIX_2: 5.0, RADIX_4: 2.0}
    squares = Grid({(row, 128): spread(time) for row, time in times.items()})
    lines = Grid(
        {
            ("dft", 128): spread(9.0),
            ("dit", 128): spread(1.0),
            ("recursive", 128): spread(3.0),
            ("dif", 128): spread(2.0),
        }
    )
    found = Mota().conclusions(Measured({"2-D": squares, "table 2": lines}))
    assert [each.verdict for each in found] == [HOLDS, FAILS, HOLDS, UNTESTED, UNTESTED, HOLDS, HOLDS]


def test_cuda_is_compared_row_by_row_where_there_is_some() -> None:
    rows = {RADIX_4: 2.0, f"{RADIX_4}, CUDA": 4.0, RADIX_2: 5.0}
    measured = Measured({"2-D": Grid({(row, 128): spread(time) for row, time in rows.items()}), "table 2": Grid()})
    table = next(each for each in Mota().tables(measured) if "15 and 16" in each.title)
    assert table.rows == {RADIX_4: {128: spread(2.0).over(spread(4.0))}}
    claim = next(each for each in Mota().conclusions(measured) if "15 and 16" in each.claim)
    assert "draws no conclusion" in claim.sentence
    assert claim.verdict == UNTESTED


@pytest.mark.parametrize(("radix_4", "verdict"), [(2.0, HOLDS), (4.0, FAILS)])
def test_halfway_is_between_radix_2_and_cufft(radix_4: float, verdict: str) -> None:
    squares = Grid({(RADIX_4, 128): spread(radix_4), (RADIX_2, 128): spread(5.0), ("cufft", 128): spread(1.0)})
    found = Mota().conclusions(Measured({"2-D": squares, "table 2": Grid()}))
    assert found[3].verdict == verdict
