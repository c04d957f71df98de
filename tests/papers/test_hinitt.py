"""Hinitt and Kocak's steps as data, streams of every width checked against numpy, and the conclusions."""

from __future__ import annotations

import itertools

import moderngl
import numpy as np
import pytest
from support.papers import spread

from glfft.accuracy import snr_db
from glfft.papers import hinitt, hinitt_batches
from glfft.papers.chapter import FAILS, HOLDS, UNTESTED, Measured
from glfft.papers.grid import Grid
from glfft.papers.hinitt import EIGHT, HALF, LOCKED, PLAIN, RADIX_2, RADIX_8, STEPS, Hinitt
from glfft.papers.hinitt_batches import FOUR, NEW, ORDERED, PLANAR, REORDERED, SETS, Row, computed_row
from glfft.papers.run import Run
from glfft.papers.sampled_transforms import FLOORS_DB, numbers


def test_everything_is_measured(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hinitt, "QUICK_BATCHES", (1, 2))
    monkeypatch.setattr(hinitt, "STREAM_BATCHES", dict.fromkeys((False, True), 8))
    monkeypatch.setattr(hinitt, "SYMBOLS", dict.fromkeys((False, True), 22))
    monkeypatch.setattr(hinitt, "ERROR_BITS", 100_000)
    monkeypatch.setattr(hinitt, "_BLOCKS", 2)
    # Others take long to compile. Streams of each width are tested below.
    monkeypatch.setattr(hinitt, "_ALGORITHMS", (RADIX_8,))
    monkeypatch.setattr(hinitt, "_RECEIVERS", RADIX_8)
    monkeypatch.setattr(hinitt, "STEPS", (PLAIN, LOCKED, EIGHT))
    # Measured in tests of their own.
    monkeypatch.setattr(hinitt_batches, "on_device", lambda run, case: {})
    monkeypatch.setattr(hinitt_batches, "measure", lambda run, count: {"divided": Grid(), "parts": Grid()})
    run = Run(ctx, 5, quick=True)
    measured = Hinitt().measure(run)
    run.release()
    assert measured["batches"].points == [1, 2]
    assert {PLAIN.name, LOCKED.name, EIGHT.name, "scipy"} <= {row for row, _ in measured["streams"].values}
    assert len(measured["receiver"].values) == 7
    rates = {row: value.middle for (row, _), value in measured["errors"].values.items()}
    assert rates["float32"] == pytest.approx(rates["fixed8"], rel=0.2)
    assert rates["fixed4"] > 1.3 * rates["fixed8"]
    again = Measured({name: Grid.from_json(grid.to_json()) for name, grid in measured.items()})
    assert len(Hinitt().conclusions(again)) == 21
    assert [table.title for table in Hinitt().tables(again) if not table.rows] == [
        "One batch divided over streams here", "Operations a second here",
        "Where the time goes here", "What each part takes here",
    ]  # fmt: skip
    assert Hinitt().figures(again)[0].published["steps"]["mapped"] == 2.83 / 4.15


@pytest.mark.parametrize("step", [PLAIN, HALF, EIGHT], ids=lambda step: step.width)
def test_a_stream_of_each_width_gives_the_spectra(ctx: moderngl.Context, step: hinitt.Step) -> None:
    block, exact = numbers(step.width, 6)
    with hinitt.TransformStream(ctx, step, 6) as transforms:
        results = [transforms.decode(each) for each in transforms.stream.run([block, -block])]
    # Integers stand for the middle of their intervals, so that the negative of -1 and 0 is not theirs.
    assert snr_db(results[0], exact) > FLOORS_DB[step.width]
    assert snr_db(results[1], -exact) > FLOORS_DB[step.width] - 3
    assert not np.array_equal(results[0], results[1])


def test_what_the_paper_says_of_its_own_steps() -> None:
    found = Hinitt().conclusions(Measured({}))
    published = {each.ratio: [*each.published.values()] for each in found}
    assert published["mapped buffers / plain ones"] == [2.83 / 4.15]
    assert published["8-bit / 16-bit"] == [0.534 / 1.34]
    # Twice 197 ns is 394, and a symbol lasts 226.95.
    assert published["two GPUs / one"] == [pytest.approx(0.5, abs=0.01)]
    (deadline,) = (each for ratio, each in published.items() if "the standard's time" in ratio)
    assert deadline == [pytest.approx(1.73, abs=0.01), pytest.approx(0.87, abs=0.01)]
    assert published["the transform alone / all of its time, radix 2"] == [
        pytest.approx(0.206, abs=1e-3), pytest.approx(0.472, abs=1e-3)
    ]  # fmt: skip
    assert all(each.verdict == UNTESTED for each in found)


def test_operations_a_second_follow_from_the_times() -> None:
    # Equation 4; table 6 has three digits of the first time.
    for name, (time, published) in hinitt.GFLOPS.items():
        assert 5 * 512 * 9 / time / 1000 == pytest.approx(published, rel=1e-3), name


def test_verdicts_follow_the_times() -> None:
    streams = {
        (step.name, 256): spread(time, 0.01) for step, time in zip(STEPS, (8, 4, 5, 2, 1, 0.5, 0.4), strict=True)
    }
    planar, sets = computed_row(PLANAR), computed_row(SETS)
    batches = {(RADIX_2, 1): 9.0, (RADIX_2, 256): 2.0, (RADIX_8, 256): 1.0, ("cufft", 256): 0.5}
    batches |= {(RADIX_2, 8192): 1.0, (RADIX_2, 16384): 1.0}
    batches |= {(planar, 256): 3.0, (sets, 256): 2.0, (SETS, 256): 2.0, (REORDERED, 256): 1.0}
    divided = {
        (Row(kernel, FOUR).name, "8-bit"): spread(time, 0.01)
        for kernel, time in ((hinitt_batches.RADIX_2, 5.0), (NEW, 4.0), (ORDERED, 4.5))
    }
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
    # 2 us of 5 us.
    assert (half, fixed, limiting) == (HOLDS, HOLDS, HOLDS)
    assert (eight, alone, cufft, radix_8, order, both_orders) == (HOLDS, HOLDS, FAILS, FAILS, FAILS, HOLDS)
    assert (two, enough, deadline) == (UNTESTED, HOLDS, FAILS)
    on_cpu = [each.verdict for each in Hinitt().conclusions(Measured(grids, software=True))]
    of_gpus = {*range(2, 12), 20}
    assert all(verdict == UNTESTED for index, verdict in enumerate(on_cpu) if index in of_gpus)
    assert [v for i, v in enumerate(on_cpu) if i not in of_gpus] == [
        v for i, v in enumerate(verdicts) if i not in of_gpus
    ]


def test_the_steps_differ_in_one_thing_each() -> None:
    for before, after in itertools.pairwise(STEPS):
        fields = ("width", "algorithm", "mapped", "in_flight")
        assert sum(getattr(before, field) != getattr(after, field) for field in fields) == 1
