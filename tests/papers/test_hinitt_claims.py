"""What Hinitt and Kocak conclude, judged by times that are made up."""

from __future__ import annotations

import pytest
from support.papers import spread

from glfft.papers import hinitt_batches
from glfft.papers.chapter import FAILS, HOLDS, UNTESTED, Measured
from glfft.papers.grid import Grid
from glfft.papers.hinitt_batches import FOUR, NEW, ORDERED, PLANAR, REORDERED, SETS, Row, computed_row
from glfft.papers.hinitt_claims import conclusions
from glfft.papers.hinitt_steps import RADIX_2, RADIX_8, STEPS


def test_what_the_paper_says_of_its_own_steps() -> None:
    found = conclusions(Measured({}))
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
    verdicts = [each.verdict for each in conclusions(Measured(grids))]
    (large, overheads, *transfers), of_kernels = verdicts[:7], verdicts[12:]
    locked, overlapped, half, fixed, limiting = transfers
    eight, alone, cufft, radix_8, order, both_orders, two, enough, deadline = of_kernels
    assert (large, overheads, locked, overlapped) == (HOLDS, HOLDS, HOLDS, FAILS)
    # 2 us of 5 us.
    assert (half, fixed, limiting) == (HOLDS, HOLDS, HOLDS)
    assert (eight, alone, cufft, radix_8, order, both_orders) == (HOLDS, HOLDS, FAILS, FAILS, FAILS, HOLDS)
    assert (two, enough, deadline) == (UNTESTED, HOLDS, FAILS)
    on_cpu = [each.verdict for each in conclusions(Measured(grids, software=True))]
    of_gpus = {*range(2, 12), 20}
    assert all(verdict == UNTESTED for index, verdict in enumerate(on_cpu) if index in of_gpus)
    assert [v for i, v in enumerate(on_cpu) if i not in of_gpus] == [
        v for i, v in enumerate(verdicts) if i not in of_gpus
    ]
