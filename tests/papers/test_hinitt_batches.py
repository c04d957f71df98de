"""One batch divided over streams: what is measured, and what is shown of it."""

from __future__ import annotations

import itertools

import moderngl
import pytest
from support.papers import spread

from glfft.algorithms.storage import STORAGES
from glfft.bench.cases import Case
from glfft.papers import hinitt_batches
from glfft.papers.chapter import Measured
from glfft.papers.grid import Grid
from glfft.papers.hinitt_batches import (
    APART,
    CONVERTED,
    DIRECT,
    EMPTY,
    FOUR,
    NEW,
    ONE,
    PUBLISHED,
    RADIX_2,
    ROWS,
    SETS,
    TOGETHER,
    TRANSFERS,
    TWO,
    WHOLE,
    Row,
)
from glfft.papers.run import Run


def test_batches_and_their_parts_are_measured(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (Row(RADIX_2, TWO), Row(RADIX_2, FOUR, APART), Row(NEW, ONE, DIRECT))
    monkeypatch.setattr(hinitt_batches, "ROWS", rows)
    monkeypatch.setattr(hinitt_batches, "_BATCHES", 2)
    run = Run(ctx, 5, quick=True)
    measured = Measured(hinitt_batches.measure(run, 8))
    monkeypatch.setattr(hinitt_batches, "ALGORITHMS", ())
    monkeypatch.setattr(hinitt_batches, "COMPUTED", (SETS,))
    case = Case((4, 512), axes=(1,), storage=STORAGES["buffer"])
    on_device = run.time({4: hinitt_batches.on_device(run, case)})
    run.release()
    assert [*on_device.values] == [("butterfly-sets, factors computed", 4)]
    divided, parts = measured["divided"], measured["parts"]
    assert (divided.skipped, parts.skipped) == ({}, {})
    assert divided.points == ["32-bit", "16-bit", "8-bit"]
    # The new kernel came after samples of 8 bits.
    assert [point for row, point in divided.values if row == rows[2].name] == ["8-bit"]
    assert set(parts.rows) == {TRANSFERS, CONVERTED, EMPTY, WHOLE}
    titles = {table.title: table for table in hinitt_batches.tables(measured)}
    assert set(titles["What each part takes here"].rows) == {"copies", "conversion", "kernel call", "transform"}


def test_kernels_are_compared_in_one_batch() -> None:
    assert {(row.streams, row.way) for row in ROWS if row.kernel == RADIX_2} == {
        (ONE, TOGETHER), (TWO, TOGETHER), (FOUR, TOGETHER), (TWO, APART), (FOUR, APART), (ONE, DIRECT)
    }  # fmt: skip
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert {Row(kernel, streams) for kernel, streams, _ in PUBLISHED} <= set(ROWS)


def test_operations_a_second_and_shares_follow_from_the_times() -> None:
    # Table 6: 534 ns are 43.15 GFLOP/s. Table 3, in ns, of an undivided batch.
    divided = Grid({(Row(RADIX_2, FOUR).name, "8-bit"): spread(0.534, 0.01)})
    times = {TRANSFERS: 320.0, CONVERTED: 400.0, EMPTY: 2.8, WHOLE: 760.0}
    parts = Grid({(row, "8-bit"): spread(time, 0.01) for row, time in times.items()})
    titles = {each.title: each for each in hinitt_batches.tables(Measured({"divided": divided, "parts": parts}))}
    (found,) = titles["Operations a second here"].rows[Row(RADIX_2, FOUR).name].values()
    assert found.middle == pytest.approx(43.15, abs=0.01)  # pyright: ignore[reportAttributeAccessIssue]
    shares = {name: cells["8-bit"] for name, cells in titles["What each part takes here"].rows.items()}
    assert shares == {
        "copies": pytest.approx(320 / 760),
        "conversion": pytest.approx(80 / 760),
        "kernel call": pytest.approx(2.8 / 760),
        "transform": pytest.approx(360 / 760),
    }


def test_ways_with_a_batch_are_plotted_as_ratios() -> None:
    times = {(Row(RADIX_2, ONE).name, "32-bit"): 4.0, (Row(NEW, FOUR).name, "8-bit"): 1.0}
    found = hinitt_batches.figure(Measured({"divided": Grid({key: spread(time, 0.0) for key, time in times.items()})}))
    assert len(found.published["ways"]) == len(PUBLISHED) - 1
    assert found.published["ways"]["new kernel, four streams, 8-bit"] == 0.459 / 2.83
    assert {way: each.middle for way, each in found.here["ways"].items()} == {"new kernel, four streams, 8-bit": 0.25}


def test_published_times_fall_from_step_to_step() -> None:
    values = [value for key, (_, value) in PUBLISHED.items() if key[1] != ONE]
    assert all(after < before for before, after in itertools.pairwise(values))
