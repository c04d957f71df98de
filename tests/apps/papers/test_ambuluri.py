"""Ambuluri's tables as data, his kernels measured, and his conclusions."""

from __future__ import annotations

import moderngl
import pytest
from support.kernels import restrict_device
from support.papers import spread

from glfft.apps.papers import ambuluri
from glfft.apps.papers.ambuluri import COMPUTING, FROM_CPU, FROM_GPU, OURS, ROWS, TRANSFER, Ambuluri, Row
from glfft.apps.papers.claims import FAILS, HOLDS, UNTESTED, Conclusion, Grid, Measured, Spread
from glfft.apps.papers.measuring import Run


def test_kernels_are_measured_and_those_that_do_not_fit_say_why(
    ctx: moderngl.Context, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    restrict_device(ctx, monkeypatch, invocations=16)
    rows = (*(Row("word-group-2", threads) for threads in (2, 4, 8)), Row("radix-22", 4), OURS[0])
    monkeypatch.setattr(ambuluri, "ROWS", rows)
    monkeypatch.setattr(ambuluri, "LENGTHS", (16, 32))
    measured = Ambuluri().measure(run)
    grid, names = measured["lines"], [row.name for row in rows]
    assert {row for row, point in grid.values if point == 16} >= {names[0], names[3], names[4], "scipy"}
    assert grid.skipped[names[1], 16] == "it would need 32 threads a work group, and the device allows 16"
    assert grid.skipped[names[2], 16] == "it would need groups of more than 2 words"
    assert grid.skipped[names[3], 32] == "it would need a length that is a power of four"
    rows_of_factors = {row for row, point in measured["factors"].values if point == 16}
    assert rows_of_factors == {FROM_CPU.name, FROM_GPU.name, COMPUTING, TRANSFER}


def test_conclusions_compare_the_rows_that_they_name() -> None:
    names = {row.name: row for row in ROWS}
    fast, slow = "constant-geometry, 1 thread", "word-group-2, 1 thread"
    assert {fast, slow} <= names.keys()
    more = "constant-geometry, 4 threads"
    values = {(fast, 16): spread(1.0), (slow, 16): spread(2.0), ("constant-geometry, 2 threads", 16): spread(2.0)}
    several = {("multi-group-4, 1 thread", 16): spread(3.0), (more, 16): spread(1.0)}
    found = Ambuluri().conclusions(Measured({"lines": Grid(values | several)}))
    geometry, increase, threads, fewer, enough, constant, radix, shares, small, large, factors, total, cufft = found
    # At 16 points the figures of one and several threads have nothing.
    assert (geometry.verdict, increase.verdict, threads.verdict, fewer.verdict) == (HOLDS, UNTESTED, FAILS, UNTESTED)
    assert (enough.verdict, constant.verdict, radix.verdict, shares.verdict) == (FAILS, UNTESTED, UNTESTED, UNTESTED)
    assert (small.verdict, large.verdict, factors.verdict) == (HOLDS, UNTESTED, UNTESTED)
    assert (total.verdict, cufft.verdict) == (UNTESTED, UNTESTED)
    assert geometry.published[16] == pytest.approx(4.61 / 4.7)
    assert total.published[16] == pytest.approx(26.624 / 19.8)
    assert round(cufft.published[16], 4) == 0.6488
    with_cufft = Grid(values | {("cufft", 16): spread(2.0), ("cufft", 4096): spread(2.0)})
    assert Ambuluri().conclusions(Measured({"lines": with_cufft}))[-1].verdicts == {16: HOLDS}


def test_factors_from_the_cpu_cost_their_computing_and_their_transfer() -> None:
    times = {FROM_CPU.name: 6.0, FROM_GPU.name: 8.0, COMPUTING: 5.0, TRANSFER: 1.0}
    factors = Grid({(row, 16): spread(time, 0.01) for row, time in times.items()})
    found = Ambuluri().conclusions(Measured({"lines": Grid(), "factors": factors}))
    gain, loss = (each for each in found if each.ratio.startswith("factors from the CPU"))
    assert (gain.here[16].middle, gain.verdict) == (6 / 8, HOLDS)
    assert (loss.here[16].middle, loss.verdict) == (12 / 8, HOLDS)


def test_variants_stand_beside_the_kernels_that_they_differ_from() -> None:
    two, four = "word-group-2, 2 threads", "word-group-2, 4 threads"
    ours, unbalanced = "word-group-2, ours in registers", "word-group-2, 2 threads, unbalanced"
    in_place, constant = "multi-group-2-in-place, 4 threads", "multi-group-2, 4 threads"
    times = {two: 4.0, four: 2.0, ours: 3.0, unbalanced: 6.0, in_place: 6.0, constant: 5.0}
    assert set(times) <= {row.name for row in ROWS}
    grid = Grid({(row, 16): spread(time) for row, time in times.items()})
    tables = {table.title: table.rows for table in Ambuluri().tables(Measured({"lines": grid}))}
    found = {row: cells[16] for row, cells in tables["Variants, here"].items()}
    ratios = {row: each.middle for row, each in found.items() if isinstance(each, Spread)}
    assert ratios == {ours: 3 / 2, unbalanced: 6 / 4, f"{in_place}, over constant geometry": 6 / 5}
    (shares,) = (each for each in Ambuluri().conclusions(Measured({"lines": grid})) if "equal share" in each.claim)
    assert shares.here[16].middle == 4 / 6


def test_small_sizes_compare_four_groups_with_fewer() -> None:
    times = {"constant-geometry, 1 thread": 1.0, "multi-group-2, 1 thread": 3.0, "multi-group-4, 1 thread": 2.0}
    grid = Grid({(row, 32): spread(time, 0.01) for row, time in times.items()})
    (small,) = (each for each in Ambuluri().conclusions(Measured({"lines": grid})) if each.ratio.startswith("four"))
    assert small.here[32].middle == 2.0
    assert small.published[32] == pytest.approx(6.2 / 5.22)


def test_cufft_without_kernels_of_the_thesis_is_not_called_missing() -> None:
    def last(*libraries: str) -> Conclusion:
        measured = Measured({"lines": Grid({(name, 16): spread(1.0) for name in libraries})})
        return Ambuluri().conclusions(measured)[-1]

    assert last("scipy").notes[0] == "It takes cuFFT, and there is none here."
    assert last("scipy", "cufft").notes[0] == "What it needs was not measured."


def test_the_published_curves_stand_beside_cufft_only() -> None:
    ours = {("constant-geometry, 1 thread", 16): spread(1.0), ("scipy", 16): spread(2.0)}
    (figure,) = Ambuluri().figures(Measured({"lines": Grid(ours)}))
    assert figure.published == {}
    assert figure.here["constant geometry"][16].middle == 0.5
    (figure,) = Ambuluri().figures(Measured({"lines": Grid(ours | {("cufft", 16): spread(4.0)})}))
    # The gain of table 5.8 is that of the best kernel.
    assert figure.published["radix 2², paper"][16].middle == pytest.approx(1 - 35.12 / 100)
    assert figure.here["constant geometry"][16].middle == 0.25
