"""Mota's table 2 as data, his transforms measured, and his conclusions."""

from __future__ import annotations

import pytest
from support.papers import spread

from glfft.apps.bench import frames
from glfft.apps.papers import mota
from glfft.apps.papers.claims import FAILS, HOLDS, UNTESTED, Grid, Measured
from glfft.apps.papers.measuring import Run
from glfft.apps.papers.mota import (
    BOTH,
    IMAGES_SINGLE,
    LISTED_RADIX_2,
    LISTED_RADIX_4,
    LISTED_SINGLE,
    LISTED_STAGES,
    RADIX_2,
    RADIX_4,
    SINGLE,
    STAGES,
    Mota,
)


def test_table_2_bears_out_what_the_thesis_says_of_it() -> None:
    published = Mota().published["table 2"]
    assert max(ratio.middle for ratio in published.ratios(["recursive"], ["dft"]).values()) < 0.05
    published = Mota().published["table 2"]
    assert max(ratio.middle for ratio in published.ratios(["dit", "dif"], ["recursive"]).values()) < 1


def test_squares_and_lines_are_measured(quick_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mota, "QUICK_SIDES", (16,))
    monkeypatch.setattr(mota, "QUICK_LENGTHS", (16,))
    monkeypatch.setattr(mota, "QUICK_FRAME_SIDES", (16,))
    # Each takes a second to compile.
    monkeypatch.setattr(mota, "FRAMES", (STAGES, IMAGES_SINGLE))
    monkeypatch.setattr(frames, "WARM_UP_SECONDS", 0.0)
    monkeypatch.setattr(frames, "_SAMPLE_SECONDS", 0.0)
    measured = Mota().measure(quick_run)
    assert not measured["2-D"].skipped
    rows = {STAGES, SINGLE, RADIX_2, RADIX_4, "auto", *(images for images, _ in BOTH.values())}
    assert rows | {LISTED_STAGES, LISTED_RADIX_4, "scipy"} <= set(measured["2-D"].rows)
    assert not measured["frames"].skipped
    assert measured["frames"].rows == [STAGES, IMAGES_SINGLE]
    assert measured["table 2"].rows == ["dft", "dit", "dif", "recursive"]
    here = Mota().tables(Measured(measured))[-1]
    assert {row: list(cells) for row, cells in here.rows.items()} == {"dit": [16], "dif": [16], "recursive": [16]}


def test_conclusions_compare_the_rows_that_they_name() -> None:
    times = {LISTED_STAGES: 8.0, LISTED_SINGLE: 4.0, LISTED_RADIX_2: 5.0, LISTED_RADIX_4: 2.0}
    # What is in shared memory, or has factors from a table, is not the thesis'.
    times |= {STAGES: 1.0, SINGLE: 9.0, RADIX_2: 1.0, RADIX_4: 9.0}
    squares = Grid({(row, 128): spread(time) for row, time in times.items()})
    in_frames = Grid({(IMAGES_SINGLE, 256): spread(2.0), (STAGES, 256): spread(1.0)})
    lines = Grid(
        {
            ("dft", 128): spread(9.0),
            ("dit", 128): spread(1.0),
            ("recursive", 128): spread(3.0),
            ("dif", 128): spread(2.0),
        }
    )
    found = Mota().conclusions(Measured({"2-D": squares, "frames": in_frames, "table 2": lines}))
    assert [each.verdict for each in found] == [HOLDS, FAILS, FAILS, HOLDS, UNTESTED, UNTESTED, HOLDS, HOLDS]


def test_images_stand_beside_shared_memory_in_one_table_and_one_plot() -> None:
    grids = [
        Grid({(row, point): spread(time) for pair in BOTH.values() for row, time in zip(pair, (6.0, 2.0), strict=True)})
        for point in (128, 256)
    ]
    measured = Measured(dict(zip(("2-D", "frames"), grids, strict=True)))
    table = next(each for each in Mota().tables(measured) if "shared memory" in each.title)
    assert list(table.rows) == [*BOTH, *(f"{name}, a frame" for name in BOTH)]
    assert all(ratio == spread(6.0).over(spread(2.0)) for cells in table.rows.values() for ratio in cells.values())
    assert [list(cells) for cells in table.rows.values()] == [[128]] * 3 + [[256]] * 3
    assert table.rows in [figure.here for figure in Mota().figures(measured)]


def test_cuda_is_compared_row_by_row_where_there_is_some() -> None:
    rows = {RADIX_4: 2.0, f"{RADIX_4}, CUDA": 4.0, RADIX_2: 5.0}
    measured = Measured({"2-D": Grid({(row, 128): spread(time) for row, time in rows.items()}), "table 2": Grid()})
    table = next(each for each in Mota().tables(measured) if "15 and 16" in each.title)
    assert table.rows == {RADIX_4: {128: spread(2.0).over(spread(4.0))}}
    claim = next(each for each in Mota().conclusions(measured) if "15 and 16" in each.claim)
    assert "draws no conclusion" in claim.notes[0]
    assert claim.verdict == UNTESTED


@pytest.mark.parametrize(("radix_4", "verdict"), [(2.0, HOLDS), (4.0, FAILS)])
def test_halfway_is_between_radix_2_and_cufft(radix_4: float, verdict: str) -> None:
    squares = Grid(
        {(LISTED_RADIX_4, 128): spread(radix_4), (LISTED_RADIX_2, 128): spread(5.0), ("cufft", 128): spread(1.0)}
    )
    found = Mota().conclusions(Measured({"2-D": squares, "table 2": Grid()}))
    assert found[4].verdict == verdict
