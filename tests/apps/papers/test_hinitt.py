"""All of Hinitt and Kocak's chapter measured, what is shown of it, and verdicts on times that are made up."""

from __future__ import annotations

import itertools

import pytest
from support.papers import spread

from glfft.apps.papers import hinitt, hinitt_batches
from glfft.apps.papers.claims import FAILS, HOLDS, UNTESTED, Grid, Measured
from glfft.apps.papers.hinitt import EIGHT, LOCKED, PLAIN, RADIX_8, STEPS, Hinitt
from glfft.apps.papers.hinitt_batches import (
    APART,
    CONVERTED,
    EMPTY,
    FOUR,
    NEW,
    ONE,
    ORDERED,
    PLANAR,
    RADIX_2,
    REORDERED,
    SETS,
    TRANSFERS,
    TWO,
    WHOLE,
    Row,
    computed_row,
)
from glfft.apps.papers.measuring import Run

PUBLISHED = Hinitt().published["divided"]


def test_everything_is_measured(quick_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hinitt, "QUICK_BATCHES", (1, 2))
    monkeypatch.setattr(hinitt, "STREAM_BATCHES", dict.fromkeys((False, True), 8))
    monkeypatch.setattr(hinitt, "BLOCKS", 2)
    # Others take long to compile. Streams of each width are tested below.
    monkeypatch.setattr(hinitt, "_ALGORITHMS", (RADIX_8,))
    monkeypatch.setattr(hinitt, "STEPS", (PLAIN, LOCKED, EIGHT))
    # Measured in tests of their own.
    received = {"receiver": Grid({("float32", 22): spread(1.0)}), "errors": Grid({("float32", "8 dB"): spread(0.2)})}
    monkeypatch.setattr(hinitt, "measure_receiver", lambda run: received)
    monkeypatch.setattr(hinitt_batches, "on_device", lambda run, case: {})
    monkeypatch.setattr(hinitt_batches, "measure", lambda run, count: {"divided": Grid(), "parts": Grid()})
    measured = Hinitt().measure(quick_run)
    assert measured["batches"].points == [1, 2]
    assert {PLAIN.name, LOCKED.name, EIGHT.name, "scipy"} <= {row for row, _ in measured["streams"].values}
    found = Measured(measured)
    assert len(Hinitt().conclusions(found)) == 21
    assert [table.title for table in Hinitt().tables(found) if not table.rows] == [
        "One batch divided over streams here", "Operations a second here",
        "Where the time goes here", "What each part takes here",
    ]  # fmt: skip
    assert Hinitt().figures(found)[0].published["steps, paper"]["mapped"].middle == 2.83 / 4.15


def test_what_the_paper_says_of_its_own_steps() -> None:
    found = Hinitt().conclusions(Measured({}))
    published = {each.ratio: [*each.published.values()] for each in found}
    assert published["mapped buffers / plain ones"] == [2.83 / 4.15]
    assert published["8-bit / 16-bit, one batch, radix 2"] == [0.534 / 1.34]
    # Twice 197 ns is 394, and a symbol lasts 226.95.
    assert published["two GPUs / one"] == [pytest.approx(0.5, abs=0.01)]
    (deadline,) = (each for ratio, each in published.items() if "the standard's time" in ratio)
    assert deadline == [pytest.approx(1.73, abs=0.01), pytest.approx(0.87, abs=0.01)]
    assert published["the transform alone / all of its time, radix 2"] == [
        pytest.approx(0.206, abs=1e-3), pytest.approx(0.472, abs=1e-3)
    ]  # fmt: skip
    assert all(each.verdict == UNTESTED for each in found)


def test_verdicts_follow_the_times() -> None:
    streams = {
        (step.name, 256): spread(time, 0.01) for step, time in zip(STEPS, (8, 4, 5, 2, 1, 0.5, 0.4), strict=True)
    }
    planar, sets = computed_row(PLANAR), computed_row(SETS)
    batches = {
        (hinitt.RADIX_2, 1): 9.0,
        (hinitt.RADIX_2, 256): 2.0,
        (RADIX_8, 256): 1.0,
        ("cufft", 256): 0.5,
    }
    batches |= {(hinitt.RADIX_2, 8192): 1.0, (hinitt.RADIX_2, 16384): 1.0}
    batches |= {(planar, 256): 3.0, (sets, 256): 2.0, (SETS, 256): 2.0, (REORDERED, 256): 1.0}
    # The other order takes less time, and the difference is too small to count.
    divided = {
        (Row(kernel, FOUR).name, "8-bit"): spread(time, 0.01)
        for kernel, time in ((RADIX_2, 5.0), (NEW, 4.0), (ORDERED, 3.9))
    }
    divided |= {(Row(RADIX_2, FOUR).name, "16-bit"): spread(6.0, 0.01), (Row(RADIX_2, TWO).name, "32-bit"): spread(7.0)}
    grids = {
        "streams": Grid(streams),
        "batches": Grid({key: spread(time, 0.01) for key, time in batches.items()}),
        "divided": Grid(divided),
        "errors": Grid({("float32", "8 dB"): spread(0.01, 1e-4), ("fixed8", "8 dB"): spread(0.0101, 1e-4)}),
    }
    verdicts = [each.verdict for each in Hinitt().conclusions(Measured(grids))]
    (large, overheads, *transfers), of_kernels = verdicts[:7], verdicts[12:]
    locked, overlapped, half, fixed, limiting = transfers
    eight, alone, cufft, radix_8, order, both_orders, two, enough, deadline = of_kernels
    assert (large, overheads, locked, overlapped) == (HOLDS, HOLDS, HOLDS, FAILS)
    # Transforms take 3 us of 7 us.
    assert (half, fixed, limiting) == (HOLDS, HOLDS, HOLDS)
    assert (eight, alone, cufft, radix_8, order, both_orders) == (HOLDS, HOLDS, FAILS, FAILS, FAILS, HOLDS)
    assert (two, enough, deadline) == (UNTESTED, HOLDS, FAILS)
    on_cpu = [each.verdict for each in Hinitt().conclusions(Measured(grids, software=True))]
    of_gpus = {*range(2, 12), 20}
    assert all(verdict == UNTESTED for index, verdict in enumerate(on_cpu) if index in of_gpus)
    assert [v for i, v in enumerate(on_cpu) if i not in of_gpus] == [
        v for i, v in enumerate(verdicts) if i not in of_gpus
    ]


def test_the_deadline_is_met_by_the_best_of_the_papers_kernels() -> None:
    times = {Row(RADIX_2, FOUR): 0.1, Row(NEW, FOUR): 0.3, Row(ORDERED, ONE): 0.2}
    divided = Grid({(row.name, "8-bit"): spread(time, 0.001) for row, time in times.items()})
    (deadline,) = Hinitt().conclusions(Measured({"divided": divided}))[20:]
    assert {point: ratio.middle for point, ratio in deadline.here.items()} == {
        "8-bit": pytest.approx(0.2 / 0.22695, 1e-4)
    }
    assert deadline.verdict == HOLDS


def test_verdicts_on_streams_follow_the_times() -> None:
    times = {
        (Row(RADIX_2, ONE), "32-bit"): 3.0,
        (Row(RADIX_2, TWO), "32-bit"): 2.0,
        (Row(RADIX_2, FOUR), "32-bit"): 1.0,
        (Row(RADIX_2, FOUR, APART), "32-bit"): 0.5,
        (Row(RADIX_2, TWO), "16-bit"): 2.0,
        (Row(RADIX_2, FOUR), "16-bit"): 1.0,
    }
    grid = Grid({(row.name, point): spread(time, 0.01) for (row, point), time in times.items()})
    found = Hinitt().conclusions(Measured({"divided": grid}))[7:12]
    assert [each.verdict for each in found] == [HOLDS, FAILS, HOLDS, UNTESTED, HOLDS]
    assert [[*each.published.values()] for each in found] == [[2.54 / 2.83], [], [], [0.534 / 0.86], []]
    software = Hinitt().conclusions(Measured({"divided": grid}, software=True))[7:12]
    assert [each.verdict for each in software] == [UNTESTED] * 5


def test_operations_a_second_and_shares_follow_from_the_times() -> None:
    # Table 6: 534 ns are 43.15 GFLOP/s. Table 3, in ns, of an undivided batch.
    divided = Grid({(Row(RADIX_2, FOUR).name, "8-bit"): spread(0.534, 0.01)})
    times = {TRANSFERS: 320.0, CONVERTED: 400.0, EMPTY: 2.8, WHOLE: 760.0}
    parts = Grid({(row, "8-bit"): spread(time, 0.01) for row, time in times.items()})
    titles = {each.title: each for each in Hinitt().tables(Measured({"divided": divided, "parts": parts}))}
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
    grid = Grid({key: spread(time, 0.0) for key, time in times.items()})
    (found,) = Hinitt().figures(Measured({"divided": grid}))
    published = found.published["ways, paper"]
    assert len(published) == len(PUBLISHED.values) - 1
    assert published["new kernel, four streams, 8-bit"].middle == 0.459 / 2.83
    assert {way: each.middle for way, each in found.here["ways"].items()} == {"new kernel, four streams, 8-bit": 0.25}


def test_published_times_fall_from_step_to_step() -> None:
    values = [value.middle for (row, _), value in PUBLISHED.values.items() if "one stream" not in row]
    assert all(after < before for before, after in itertools.pairwise(values))


def test_operations_a_second_follow_from_the_times() -> None:
    # Equation 4; table 6 has three digits of the first time.
    for name, found in Hinitt().published["table 6"].cells.items():
        assert 5 * 512 * 9 / found["time"].middle / 1000 == pytest.approx(found["rate"].middle, rel=1e-3), name
