"""A channelizer's stages, each alone: as right together as its one dispatch, and what is said of their times."""

from __future__ import annotations

import moderngl
import pytest
from support.papers import spread

from glfft.apps.papers import channelizer_stages as stages
from glfft.apps.papers.claims import FAILS, HOLDS, MIXED, UNTESTED, Grid, Measured
from glfft.apps.papers.del_mundo import DelMundo
from glfft.apps.papers.measuring import Run
from glfft.errors import AccuracyError


def test_stages_are_timed_apart_and_the_papers_kernel_at_16(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stages, "CHANNELS", (16, 32))
    run = Run(ctx, 3, quick=True)
    grid = stages.measure(run)
    assert set(grid.values) == {
        *((row, channels) for row in (*stages.STAGES, stages.IN_ONE) for channels in (16, 32)),
        (stages.HIS, 16),
    }
    assert not grid.skipped
    # The last stage left out: the stages together are wrong then, on a device too whose stages have no error at all.
    dispatch = stages._Stages._dispatch
    monkeypatch.setattr(
        stages._Stages, "_dispatch", lambda *given: (lambda: None) if given[1] == "map" else dispatch(*given)
    )
    with pytest.raises(AccuracyError, match="in stages is wrong"):
        stages.measure(run)
    run.release()


@pytest.mark.parametrize(("transform", "verdict"), [((4.0, 9.0), HOLDS), ((1.0, 9.0), MIXED), ((1.0, 2.0), FAILS)])
def test_the_transform_dominates_from_half_of_the_time_on(transform: tuple[float, float], verdict: str) -> None:
    grid = Grid({(stages.FILTER, 16): spread(2.0), (stages.FILTER, 32): spread(4.0)})
    grid.values |= {(stages.MAP, 16): spread(1.0), (stages.MAP, 32): spread(1.0)}
    grid.values |= {(stages.TRANSFORM, points): spread(time) for points, time in zip((16, 32), transform, strict=True)}
    measured = Measured({"channelizer": grid})
    assert DelMundo().conclusions(measured)[0].verdict == verdict
    rows = DelMundo().tables(measured)[-1].rows
    assert sum(rows[stage][32].middle for stage in stages.STAGES) == pytest.approx(1)  # pyright: ignore[reportAttributeAccessIssue]


def test_nothing_is_said_where_nothing_was_measured() -> None:
    assert DelMundo().conclusions(Measured({}))[0].verdict == UNTESTED
    assert not DelMundo().tables(Measured({}))[-1].rows
