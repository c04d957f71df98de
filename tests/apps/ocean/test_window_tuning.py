"""Tuning beside a sea that is shown: it ends, says what it found, follows a change of the plans, and never fails it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.tuning import PATIENCE_SECONDS

from glfft.apps.ocean.window import TuningWhileShown
from glfft.errors import TimingError
from glfft.gl.releasable import Releasable
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation
from glfft.tuning import search
from glfft.tuning.precompile import Precompiler


class PretendTuner(Releasable):
    """Takes two steps and finds what it is told to."""

    def __init__(self, *times: tuple[float, float]) -> None:
        self.done = self.released = False
        self.share_done = 0.0
        found = [SimpleNamespace(before_microseconds=before, after_microseconds=after) for before, after in times]
        self.report = SimpleNamespace(passes=tuple(found))

    def step(self, _budget_ms: float) -> bool:
        self.done = self.share_done == 0.5
        self.share_done += 0.5
        return self.done

    def release(self) -> None:
        self.released = True


def plan(tuner: Any) -> Any:
    """What a plan is to `TuningWhileShown`."""
    return SimpleNamespace(background_tuner=lambda quick: tuner)


def steps_of(tuning: TuningWhileShown, plans: list[Any]) -> Iterator[str]:
    while True:
        tuning.step(plans, 1.0)
        yield tuning.message
        if not tuning.has_work(plans):
            return


def test_plans_are_tuned_in_turn_and_their_times_add_up() -> None:
    plans = [plan(PretendTuner((20.0, 10.0), (6.0, 6.0))), plan(PretendTuner((4.0, 4.0)))]
    tuning = TuningWhileShown()
    assert tuning.has_work(plans)
    said = list(steps_of(tuning, plans))
    assert said == ["tuning: 25%", "tuning: 25%", "tuning: 75%", "tuned: transforms 1.50 times as fast"]
    tuning.step(plans, 1.0)
    assert tuning.message == said[-1]


@pytest.mark.parametrize(("times", "said"), [([(5.0, 5.0)], "tuned: nothing faster was found"), ([], "")])
def test_what_was_found_is_said_in_words(times: list[tuple[float, float]], said: str) -> None:
    assert list(steps_of(TuningWhileShown(), [plan(PretendTuner(*times))]))[-1] == said


def test_other_plans_begin_anew() -> None:
    first, tuning = PretendTuner((5.0, 5.0)), TuningWhileShown()
    tuning.step([plan(first)], 1.0)
    others = [plan(PretendTuner((9.0, 3.0)))]
    assert tuning.has_work(others)
    tuning.step(others, 1.0)
    assert first.released
    assert tuning.message == "tuning: 50%"
    tuning.step(others, 1.0)
    assert tuning.message == "tuned: transforms 3.00 times as fast"


def test_a_failure_ends_tuning_in_words() -> None:
    def fail(_budget_ms: float) -> bool:
        raise TimingError("The GPU is busy.")

    failing, tuning = PretendTuner((5.0, 5.0)), TuningWhileShown()
    failing.step = fail
    plans = [plan(failing), plan(failing)]
    assert list(steps_of(tuning, plans)) == ["Tuning has stopped: The GPU is busy."]
    assert failing.released


def test_a_sea_is_the_same_while_it_is_tuned_and_after(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Precompiler, "pauses", lambda self, spec: ())
    monkeypatch.setattr(search, "_MOST_QUICK", 3)
    tuning = TuningWhileShown()
    with OceanSimulation(ctx, OceanSettings(size=16, tile=600.0)) as simulation:
        before = simulation.evaluate(3.0)
        said, end = [], time.perf_counter() + PATIENCE_SECONDS
        while tuning.has_work(simulation.plans):
            tuning.step(simulation.plans, 5.0)
            said.append(tuning.message)
            # Where a worker process measures, a step only asks how far it is.
            assert time.perf_counter() < end, "it does not end"
        assert said[-1].startswith("tuned: ")
        assert not simulation.plans[0]._released
        for name, field in simulation.evaluate(3.0).items():
            np.testing.assert_allclose(field, before[name], rtol=1e-4, atol=1e-5, err_msg=name)
        simulation.set_algorithm("cooley-tukey")
        assert tuning.has_work(simulation.plans)
        tuning.step(simulation.plans, 5.0)
        tuning.step(simulation.plans, 5.0)
        assert not tuning.has_work(simulation.plans)
        assert tuning.message == "", "its algorithm has one kernel"
    tuning.release()
