"""What del Mundo concludes, judged by times that are made up."""

from __future__ import annotations

from support.papers import spread

from glfft.papers.chapter import FAILS, HOLDS, UNTESTED, Measured
from glfft.papers.del_mundo_claims import conclusions
from glfft.papers.del_mundo_kernels import BASELINE, BEST_NAME, IN_DOUBLE, UNCOALESCED
from glfft.papers.grid import Grid


def test_conclusions_compare_the_rows_that_they_name() -> None:
    times = {BASELINE.name: 30.0, "RP": 10.0, "LM-CT": 4.0, "LM-CC": 8.0, "LM-CM": 9.0, "LU": 30.0, "VASM4": 32.0}
    times |= {BEST_NAME: 2.0, "GLOB+LM-CC": 4.0, "IM+LM-CC": 3.0, "scipy": 9.0, "cufft": 1.0}
    times |= {"CGAP": 31.0, UNCOALESCED.name: 3.0, IN_DOUBLE.name: 40.0}
    grid = Grid({(name, 64): spread(time, 0.01) for name, time in times.items()})
    found = conclusions(Measured({"batches": grid}))
    verdicts = [each.verdict for each in found]
    channelizer, preloading, best_local, worst_local, stride, coalesced, in_best, unrolled, wide, *_ = verdicts
    assert (channelizer, stride) == (UNTESTED, UNTESTED)
    assert (preloading, best_local, worst_local, unrolled, wide) == (HOLDS, HOLDS, HOLDS, HOLDS, FAILS)
    assert (coalesced, in_best) == (HOLDS, HOLDS)
    images, combined, alone, alike, best, poor, faster, on_gpus, vendor = verdicts[10:]
    assert (images, combined, alone, alike, best) == (HOLDS, UNTESTED, UNTESTED, UNTESTED, HOLDS)
    assert (poor, faster, on_gpus, vendor) == (HOLDS, HOLDS, HOLDS, HOLDS)
    assert [round(value, 1) for value in found[1].published.values()] == [2.7, 3.1, 2.1]
    on_cpu = conclusions(Measured({"batches": grid}, software=True))
    assert [each.verdict for each in on_cpu[-4:-2]] == [UNTESTED, UNTESTED]
