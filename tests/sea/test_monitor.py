"""Readings of a running sea: the same numbers as a read-back, some frames later, and nothing left behind."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support.gl_objects import live_objects
from support.ocean import assert_near
from support.sentences import refused

from glfft.errors import ReleasedError
from glfft.gl.fences import Fences
from glfft.sea.measure import validate
from glfft.sea.monitor import SeaMonitor
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SEA = OceanSettings(size=64, tile=250.0, wind=9.0, cascades=2, foam_lifetime=0.2, wind_direction=1.4)


def test_a_snapshot_is_the_sea_and_passes_its_checks(ctx: moderngl.Context):
    with OceanSimulation(ctx, SEA) as simulation:
        monitor = SeaMonitor(simulation)
        assert not monitor.read()  # nothing was computed yet
        for frame in range(5):
            simulation.update(10.0 + 0.06 * frame)
            assert monitor.read()
            ctx.finish()
            assert monitor.poll()
            assert (monitor.snapshot is None) == (frame < 2)
        found = monitor.snapshot
        assert found is not None
        assert found.times == pytest.approx((10.12, 10.24))
        exact = simulation.evaluate(10.24)
        assert_near(found.heights[1], exact["height"], abs=2e-3)
        assert_near(found.slopes[..., 1], exact["slope_z"], abs=2e-3)
        assert list(monitor.line_times) == pytest.approx([10.0, 10.06, 10.12, 10.18, 10.24])
        assert monitor.lines[-1] == pytest.approx(exact["height"][0].mean(axis=1), abs=2e-3)
        checks = {each.name: each for each in validate(found)}
        assert all(checks[name].passed for name in ("wave height", "direction", "Parseval", "packed pairs"))
        monitor.release()


def test_readings_wait_their_turn_and_begin_anew_with_another_sea(ctx: moderngl.Context):
    with OceanSimulation(ctx, SEA) as simulation:
        monitor = SeaMonitor(simulation)
        simulation.update(1.0)
        assert [monitor.read() for _ in range(4)] == [True, True, True, False]
        ctx.finish()
        monitor.poll()
        # Another seed, and another size.
        for time, other in ((1.2, replace(SEA, seed=2)), (1.4, replace(SEA, size=32, cascades=1))):
            assert monitor.read()
            simulation.configure(other)
            simulation.update(time)
            assert monitor.read()
            ctx.finish()
            assert monitor.poll()
            assert monitor.snapshot is None
            assert len(monitor.lines) == 1
            assert len(monitor.lines[0]) == other.size
        monitor.release()


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_a_monitor_leaves_nothing_behind(ctx: moderngl.Context):
    with OceanSimulation(ctx, replace(SEA, cascades=1)) as simulation:
        simulation.update(1.0)
        before = live_objects(ctx)
        monitor = SeaMonitor(simulation)
        monitor.read()
        ctx.finish()
        monitor.poll()
        monitor.read()
        monitor.release()
        assert live_objects(ctx) == before
        with refused(ReleasedError, "sea monitor has been released"):
            monitor.read()
        assert np.isfinite(simulation.significant_height)


@pytest.mark.usefixtures("freed_by_glfft_alone")
@pytest.mark.parametrize("interrupted", ["copy", "read-back"])
def test_an_interrupted_reading_leaves_nothing_behind(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, interrupted: str
):
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with OceanSimulation(ctx, replace(SEA, cascades=1)) as simulation, SeaMonitor(simulation) as monitor:
        simulation.update(1.0)
        before = live_objects(ctx)
        with monkeypatch.context() as patched:
            if interrupted == "copy":
                patched.setattr(Fences, "put", interrupt)
                with pytest.raises(KeyboardInterrupt):
                    monitor.read()
            else:
                monitor.read()
                ctx.finish()
                patched.setattr(moderngl.Buffer, "read", interrupt)
                with pytest.raises(KeyboardInterrupt):
                    monitor.poll()
        assert live_objects(ctx) == before
        assert monitor.read()
