"""del Mundo's kernels measured, what is shown of them, and what he concludes, judged by times that are made up."""

from __future__ import annotations

import moderngl
import pytest
from support.kernels import restrict_device
from support.papers import spread

from glfft.apps.papers import channelizer_stages, del_mundo
from glfft.apps.papers.claims import FAILS, HOLDS, UNTESTED, Grid, Measured
from glfft.apps.papers.del_mundo import BASELINE, BEST_NAME, IMPOSSIBLE, IN_DOUBLE, ROWS, UNCOALESCED, DelMundo
from glfft.apps.papers.measuring import Run


def test_kernels_are_measured_and_those_that_cannot_be_say_why(
    ctx: moderngl.Context, quick_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each storage and layout.
    names = ("RP", "CGAP", "VASM8", "VAVM4", "VAVM4, interleaved", "IM+RP+LM-CM+CM-L", BEST_NAME)
    monkeypatch.setattr(del_mundo, "ROWS", [row for row in ROWS if row.name in names])
    monkeypatch.setattr(channelizer_stages, "CHANNELS", (16,))
    # Lines in two layers of a texture.
    monkeypatch.setattr(del_mundo, "SOFTWARE_BATCH", 1 << 8)
    restrict_device(ctx, monkeypatch, texture_size=1 << 7)
    measured = DelMundo().measure(quick_run)
    grid = measured["batches"]
    assert {row for row, _ in grid.values} >= {*names, "auto", "scipy"}
    (batch,) = {batch for _, batch in grid.values}
    assert grid.skipped == {(name, batch): reason for name, reason in IMPOSSIBLE.items()}
    assert "compiler" in grid.skipped["IL", batch]
    assert batch == (1 << 8 if quick_run.software else del_mundo.QUICK_BATCH)
    assert measured["channelizer"].points == [16]


def test_tables_and_figures_have_speed_ups_over_the_baseline() -> None:
    grid = Grid({("baseline", 64): spread(30.0), ("RP", 64): spread(10.0), (BEST_NAME, 64): spread(2.0)})
    grid.values["scipy", 64] = spread(6.0)
    measured = Measured({"batches": grid})
    _, here, beside, _ = DelMundo().tables(measured)
    assert here.rows["RP"][64].middle == pytest.approx(3)  # pyright: ignore[reportAttributeAccessIssue]
    assert set(beside.rows) == {"baseline", BEST_NAME}
    alone, together = DelMundo().figures(measured)
    assert alone.here["here"]["RP"].middle == pytest.approx(3)
    assert together.here["here"][BEST_NAME].middle == pytest.approx(15)
    assert set(alone.published) == {"HD 5870, paper", "HD 6970, paper", "HD 7970, paper"}


def test_conclusions_compare_the_rows_that_they_name() -> None:
    times = {BASELINE.name: 30.0, "RP": 10.0, "LM-CT": 4.0, "LM-CC": 8.0, "LM-CM": 9.0, "LU": 30.0, "VASM4": 32.0}
    times |= {BEST_NAME: 2.0, "GLOB+LM-CC": 4.0, "IM+LM-CC": 3.0, "scipy": 9.0, "cufft": 1.0}
    times |= {"CGAP": 31.0, UNCOALESCED.name: 3.0, IN_DOUBLE.name: 40.0}
    grid = Grid({(name, 64): spread(time, 0.01) for name, time in times.items()})
    found = DelMundo().conclusions(Measured({"batches": grid}))
    verdicts = [each.verdict for each in found]
    channelizer, preloading, best_local, worst_local, stride, coalesced, in_best, unrolled, wide, *_ = verdicts
    assert (channelizer, stride) == (UNTESTED, UNTESTED)
    assert (preloading, best_local, worst_local, unrolled, wide) == (HOLDS, HOLDS, HOLDS, HOLDS, FAILS)
    assert (coalesced, in_best) == (HOLDS, HOLDS)
    images, combined, alone, alike, best, poor, faster, on_gpus, vendor = verdicts[10:]
    assert (images, combined, alone, alike, best) == (HOLDS, UNTESTED, UNTESTED, UNTESTED, HOLDS)
    assert (poor, faster, on_gpus, vendor) == (HOLDS, HOLDS, HOLDS, HOLDS)
    assert [round(value, 1) for value in found[1].published.values()] == [2.7, 3.1, 2.1]
    on_cpu = DelMundo().conclusions(Measured({"batches": grid}, software=True))
    assert [each.verdict for each in on_cpu[-4:-2]] == [UNTESTED, UNTESTED]
