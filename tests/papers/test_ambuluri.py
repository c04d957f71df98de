"""Ambuluri's tables as data, his kernels measured, and his conclusions."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest
from support.kernels import restrict_device
from support.papers import spread
from support.requests import axis_request

from glfft.algorithms import registry
from glfft.errors import AccuracyError
from glfft.papers import ambuluri
from glfft.papers.ambuluri import GAINS, LENGTHS, PUBLISHED, ROWS, Ambuluri, Row
from glfft.papers.chapter import FAILS, HOLDS, UNTESTED, Measured
from glfft.papers.grid import Grid
from glfft.papers.run import Run


@pytest.fixture
def run(ctx: moderngl.Context) -> Iterator[Run]:
    made = Run(ctx, 5)
    yield made
    made.release()


def test_each_published_time_is_of_a_kernel_that_can_be() -> None:
    for row in ROWS:
        family = registry.family_of(row.family)
        assert len(row.published) <= len(LENGTHS)
        for length in row.published_at:
            if length <= 2048:
                # The tables come from a device with 48 KiB, ours has 32.
                (*_, part) = family.parts(axis_request((1, length)))
                assert family.fits(row.config, part) or length == 2048, (row.name, length)


def test_names_tell_all_rows_apart() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)


def test_the_gains_are_those_of_the_best_kernels() -> None:
    # Table 5.8 against 5.4: of 3.55 us at 16 points, cuFFT takes 5.47.
    best = PUBLISHED.best((row.name for row in ROWS), 16)
    assert best is not None
    assert round(best.middle / (1 - GAINS[16] / 100), 2) == 5.47


def test_kernels_are_measured_and_those_that_do_not_fit_say_why(
    ctx: moderngl.Context, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    restrict_device(ctx, monkeypatch, invocations=16)
    rows = (*(Row("word-group-2", threads) for threads in (2, 4, 8)), Row("radix-22", 4), Row("multi-group-2", 1))
    monkeypatch.setattr(ambuluri, "ROWS", rows)
    monkeypatch.setattr(ambuluri, "LENGTHS", (16, 32))
    grid = Ambuluri().measure(run)["lines"]
    names = [row.name for row in rows]
    assert {row for row, point in grid.values if point == 16} >= {names[0], names[3], names[4], "scipy"}
    assert grid.skipped[names[1], 16] == "it would need more threads than a work group has here"
    assert grid.skipped[names[2], 16] == "it would need groups of more than 2 words"
    assert grid.skipped[names[3], 32] == "it would need a length that is a power of four"


def test_a_wrong_kernel_is_not_timed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ambuluri, "snr_db", lambda *_: 20.0)
    monkeypatch.setattr(ambuluri, "ROWS", (Row("word-group-2", 1, (1.0,)),))
    with pytest.raises(AccuracyError, match=r"word-group-2, 1 thread is wrong at 16 points: 20\.0 dB"):
        Ambuluri().measure(run)


def test_conclusions_compare_the_rows_that_they_name() -> None:
    names = {row.name: row for row in ROWS}
    fast, slow = "constant-geometry, 1 thread", "word-group-2, 1 thread"
    assert {fast, slow} <= names.keys()
    more = "constant-geometry, 4 threads"
    values = {(fast, 16): spread(1.0), (slow, 16): spread(2.0), ("constant-geometry, 2 threads", 16): spread(2.0)}
    several = {("multi-group-4, 1 thread", 16): spread(3.0), (more, 16): spread(1.0)}
    found = Ambuluri().conclusions(Measured({"lines": Grid(values | several)}))
    geometry, increase, threads, fewer, enough, constant, radix, small, large, factors, total, cufft = found
    # At 16 points the figures of one and several threads have nothing.
    assert (geometry.verdict, increase.verdict, threads.verdict, fewer.verdict) == (HOLDS, UNTESTED, FAILS, UNTESTED)
    assert (enough.verdict, constant.verdict, radix.verdict) == (FAILS, UNTESTED, UNTESTED)
    assert (small.verdict, large.verdict, factors.verdict) == (HOLDS, UNTESTED, UNTESTED)
    assert (total.verdict, cufft.verdict) == (UNTESTED, UNTESTED)
    assert geometry.published[16] == pytest.approx(4.61 / 4.7)
    assert total.published[16] == pytest.approx(26.624 / 19.8)
    assert round(cufft.published[16], 4) == 0.6488
    with_cufft = Grid(values | {("cufft", 16): spread(2.0), ("cufft", 4096): spread(2.0)})
    assert Ambuluri().conclusions(Measured({"lines": with_cufft}))[-1].verdicts == {16: HOLDS}


def test_small_sizes_compare_four_groups_with_fewer() -> None:
    times = {"constant-geometry, 1 thread": 1.0, "multi-group-2, 1 thread": 3.0, "multi-group-4, 1 thread": 2.0}
    grid = Grid({(row, 32): spread(time, 0.01) for row, time in times.items()})
    (small,) = (each for each in Ambuluri().conclusions(Measured({"lines": grid})) if each.ratio.startswith("four"))
    assert small.here[32].middle == 2.0
    assert small.published[32] == pytest.approx(6.2 / 5.22)


def test_the_published_curves_stand_beside_cufft_only() -> None:
    ours = {("constant-geometry, 1 thread", 16): spread(1.0), ("scipy", 16): spread(2.0)}
    (figure,) = Ambuluri().figures(Measured({"lines": Grid(ours)}))
    assert figure.published == {}
    assert figure.here["constant geometry"][16].middle == 0.5
    (figure,) = Ambuluri().figures(Measured({"lines": Grid(ours | {("cufft", 16): spread(4.0)})}))
    # The gain of table 5.8 is that of the best kernel.
    assert figure.published["radix 2²"][16] == pytest.approx(1 - GAINS[16] / 100)
    assert figure.here["constant geometry"][16].middle == 0.25
