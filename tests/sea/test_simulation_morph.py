"""A sea on its way into another: no jump, energies in between, and ends that are the seas themselves."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from support.gl_objects import strange_samplers
from support.ocean import SEA, TRANSFORM_DECIBELS, assert_near, decibels

from glfft.errors import LimitError, OptionError
from glfft.gl.context import state_of
from glfft.sea import waves
from glfft.sea.fields import export_fields, reference_fields
from glfft.sea.presets import preset
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import Morph, OceanSimulation
from glfft.sea.step import FIELDS, OceanStep

pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

CALM = replace(SEA, size=32, wind=6.0, foam_lifetime=0.05)
ROUGH = replace(CALM, wind=14.0)


def height(simulation: OceanSimulation, time: float) -> np.ndarray:
    return simulation.evaluate(time)["height"].astype(np.float64)


def test_halfway_each_wave_has_the_mean_energy_of_the_two(ctx: moderngl.Context):
    with OceanSimulation(ctx, CALM) as simulation:
        simulation.update(10.0)
        simulation.morph(ROUGH, 4.0)
        drawn = np.exp(1j * np.angle(waves.amplitudes(ROUGH)))
        h0 = drawn * np.sqrt((np.abs(waves.amplitudes(CALM)) ** 2 + np.abs(waves.amplitudes(ROUGH)) ** 2) / 2)
        found, expected = simulation.evaluate(12.0), reference_fields(ROUGH, 12.0, h0)
        for name in FIELDS:
            assert decibels(found[name], expected[name]) > TRANSFORM_DECIBELS - 15, name
        simulation.update(11.0)
        heights = waves.significant_height(CALM), waves.significant_height(ROUGH)
        weight = np.sin(np.pi / 2 * 0.25**2 * (3 - 0.5)) ** 2
        between = np.sqrt((1 - weight) * heights[0] ** 2 + weight * heights[1] ** 2)
        assert simulation.significant_height == pytest.approx(between)


def test_samplers_that_are_left_on_the_units_change_nothing(ctx: moderngl.Context):
    with OceanSimulation(ctx, CALM) as simulation:
        simulation.update(10.0)
        simulation.morph(ROUGH, 4.0)
        usual = height(simulation, 12.0)
        with strange_samplers(ctx):
            found = height(simulation, 12.0)
    assert np.array_equal(found, usual)


# Another depth changes how fast waves run, and another seed their phases.
@pytest.mark.parametrize("change", [{}, {"depth": 2.0}, {"seed": 8}, {"depth": 3.0, "seed": 9}], ids=str)
def test_the_sea_has_no_jump_and_its_ends_are_the_seas_themselves(ctx: moderngl.Context, change: dict):
    goal, start, seconds, step = replace(ROUGH, **change), 600.0, 2.0, 1 / 30
    with OceanSimulation(ctx, CALM) as simulation, OceanSimulation(ctx, goal) as other:
        simulation.update(start)
        before = {time: height(simulation, time) for time in (start - step, start)}
        simulation.morph(goal, seconds)
        assert simulation.morphing
        assert_near(height(simulation, start), before[start], abs=2e-5)
        times = start + step * np.arange(-1, round(seconds / step) + 4)
        series = [before[start - step], *(height(simulation, time) for time in times[1:])]
        simulation.update(start + seconds)
        assert not simulation.morphing
        found, expected = simulation.evaluate(start + 3.0), other.evaluate(start + 3.0)
        for name in FIELDS:
            assert np.array_equal(found[name], expected[name]), name
    steps = np.diff(series, axis=0)
    # Waves of phase w t turn by at most w step between frames, and by at most one turn more over the change.
    usual = np.abs(np.diff(series[-3:], axis=0)).max()
    assert np.abs(steps).max() < 3 * usual
    jump = np.abs(series[-1] - series[0]).max()
    bends = np.abs(np.diff(steps, axis=0)).max(axis=(1, 2))
    assert bends.max() < 0.3 * jump
    # Nor does anything start or stop moving at once.
    assert max(bends[:3].max(), bends[-5:].max()) < 0.6 * bends.max()


def test_an_export_describes_the_sea_of_its_own_moment(ctx: moderngl.Context, tmp_path: Path):
    with OceanSimulation(ctx, replace(CALM, choppiness=0.5)) as simulation:
        simulation.update(10.0)
        simulation.morph(replace(ROUGH, choppiness=1.0), 4.0)
        export_fields(simulation, 12.0, tmp_path / "sea.npz")
    with np.load(tmp_path / "sea.npz") as found:
        assert found["choppiness"] == pytest.approx(0.75)
        heights = waves.significant_height(CALM), waves.significant_height(ROUGH)
        assert found["hs_theory"] == pytest.approx(np.hypot(*heights) / np.sqrt(2))


def test_a_change_turns_from_where_it_is(ctx: moderngl.Context):
    with OceanSimulation(ctx, CALM) as simulation:
        simulation.update(5.0)
        simulation.morph(replace(ROUGH, depth=4.0), 2.0)
        simulation.update(5.9)
        simulation.update(6.0)
        before = height(simulation, 6.0)
        simulation.evaluate(40.0)  # leaves no trace
        halfway = simulation.significant_height
        simulation.morph(CALM, 2.0)
        assert_near(height(simulation, 6.0), before, abs=2e-5)
        assert simulation.significant_height == pytest.approx(halfway)
        simulation.update(8.0)
        expected = reference_fields(CALM, 9.0)["height"]
        assert decibels(simulation.evaluate(9.0)["height"], expected) > TRANSFORM_DECIBELS - 4


@pytest.mark.parametrize("depths", [(np.inf, 2.0), (1.0, np.inf), (0.5, 8.0)], ids=str)
def test_where_the_depth_changes_the_water_does_not_jump_sideways(ctx: moderngl.Context, depths: tuple[float, float]):
    first, goal = (replace(CALM, depth=each) for each in depths)
    with OceanSimulation(ctx, first) as simulation, OceanSimulation(ctx, goal) as other:
        simulation.update(10.0)
        for settings, start in ((goal, 10.0), (first, 11.0), (goal, 11.7)):  # the later ones turn from the way there
            simulation.update(start)
            before = simulation.evaluate(start)
            simulation.morph(settings, 2.0)
            after = simulation.evaluate(start)
            for name in FIELDS:
                assert_near(after[name], before[name], abs=1e-4)
        simulation.update(13.7)
        found, expected = simulation.evaluate(14.0), other.evaluate(14.0)
        for name in FIELDS:
            assert np.array_equal(found[name], expected[name]), name


def test_high_waves_leave_before_the_water_is_shallow(ctx: moderngl.Context):
    grid = OceanSettings(size=48, tile=1000.0, foam_lifetime=0.05)
    with OceanSimulation(ctx, preset("storm", grid)) as simulation:
        simulation.update(50.0)
        simulation.morph(preset("lagoon", grid), 4.0)
        moved = [simulation.evaluate(50.0 + time)["dx"].std() for time in np.linspace(0.0, 4.0, 17)]
    assert max(moved) < 1.1 * moved[0]


def test_other_changes_end_it_and_other_tiles_are_refused(ctx: moderngl.Context):
    with OceanSimulation(ctx, CALM) as simulation:
        simulation.morph(ROUGH)  # nothing was shown yet
        assert simulation.settings == ROUGH
        assert not simulation.morphing
        simulation.update(1.0)
        for refused in (replace(CALM, tile=150.0), replace(CALM, size=64), replace(CALM, size=48, cascades=2)):
            with pytest.raises(OptionError, match="same tiles"):
                simulation.morph(refused)
        with pytest.raises(OptionError, match="seconds over 0"):
            simulation.morph(CALM, 0.0)
        assert simulation.settings == ROUGH
        simulation.morph(CALM, 3.0)
        simulation.update(2.0)
        before = height(simulation, 2.0)
        with pytest.raises(LimitError):
            simulation.configure(replace(CALM, size=2 * state_of(ctx).limits.texture_size))
        assert simulation.morphing
        assert np.array_equal(height(simulation, 2.0), before)
        simulation.configure(replace(CALM, choppiness=0.5))
        assert not simulation.morphing
        assert decibels(height(simulation, 3.0), reference_fields(CALM, 3.0)["height"]) > TRANSFORM_DECIBELS - 4


def test_foam_grows_from_one_threshold_to_the_other(ctx: moderngl.Context):
    with OceanSimulation(ctx, replace(CALM, foam_threshold=0.9)) as simulation:
        simulation.update(1.0)
        simulation.morph(replace(ROUGH, foam_threshold=0.7), 2.0)
        simulation.update(2.0)
        assert simulation._maps.changing == pytest.approx((0.8, simulation.choppiness))
        simulation.update(3.0)
        assert simulation._maps.changing is None


def test_presets_change_into_each_other_on_several_tiles(ctx: moderngl.Context):
    grid = OceanSettings(size=48, tile=800.0, cascades=2, foam_lifetime=0.05)
    with OceanSimulation(ctx, preset("lagoon", grid)) as simulation:
        simulation.update(100.0)
        before = height(simulation, 100.0)
        simulation.morph(preset("storm", grid), 1.0)
        assert_near(height(simulation, 100.0), before, abs=2e-5)
        simulation.update(101.0)
        with OceanSimulation(ctx, preset("storm", grid)) as other:
            assert np.array_equal(height(simulation, 102.0), height(other, 102.0))


def test_an_interrupt_as_a_morph_begins_leaves_no_empty_sea(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch):
    with OceanSimulation(ctx, CALM) as simulation:
        simulation.update(1.0)
        begin = OceanStep.begin_morph

        def interrupted(*arguments: Any) -> Any:
            begun = begin(*arguments)
            signal.raise_signal(signal.SIGINT)
            return begun

        monkeypatch.setattr(OceanStep, "begin_morph", interrupted)
        with pytest.raises(KeyboardInterrupt):
            simulation.morph(ROUGH)
        simulation.configure(ROUGH)
        assert decibels(height(simulation, 2.0), reference_fields(ROUGH, 2.0)["height"]) > TRANSFORM_DECIBELS


def test_an_interrupt_as_a_morph_ends_leaves_a_sea_that_goes_on(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch):
    with OceanSimulation(ctx, CALM) as simulation:
        simulation.update(1.0)
        simulation.morph(ROUGH, 0.5)
        release = Morph.release

        def interrupted(morph: Morph) -> None:
            release(morph)
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(Morph, "release", interrupted)
            with pytest.raises(KeyboardInterrupt):
                simulation.update(2.0)
        simulation.update(2.0)
        assert decibels(height(simulation, 2.0), reference_fields(ROUGH, 2.0)["height"]) > TRANSFORM_DECIBELS
