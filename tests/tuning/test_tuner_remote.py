"""A search in a worker process ends like one here, and goes on here where there is no such process."""

from __future__ import annotations

import moderngl
import pytest
from support.tuning import assert_transforms, radices_of, until

import glfft
from glfft.algorithms.passes import Choice
from glfft.algorithms.stockham.config import KernelConfig
from glfft.errors import TimingError
from glfft.tuning import tuner as tuner_module
from glfft.tuning import worker
from glfft.tuning.measure import LocalSearch
from glfft.tuning.tuner import RemoteSearch
from glfft.tuning.worker_main import SearchJob, SearchProgress
from glfft.wisdom import store
from glfft.wisdom.entries import Entry


@pytest.fixture
def _as_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuner_module, "is_software", lambda ctx: False)


def shares_to_the_end(tuner: tuner_module.BackgroundTuner) -> list[float]:
    """What it says to be done, before the first step and after each."""
    shares = [tuner.share_done]

    def step() -> bool:
        done = tuner.step(budget_ms=5.0)
        shares.append(tuner.share_done)
        return done

    until(step)
    return shares


@pytest.mark.usefixtures("_as_on_a_gpu")
def test_a_remote_search_ends_and_the_plan_takes_what_it_finds(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (4, 8), algorithm="stockham") as plan, plan.background_tuner(quick=True) as tuner:
        assert isinstance(tuner._search, RemoteSearch)
        shares = shares_to_the_end(tuner)
        assert isinstance(tuner._search, RemoteSearch), "it was lost"
        assert shares == sorted(shares)
        assert shares[-1] == 1.0
        assert len(set(shares)) > 3, "no step tells how far it has come"
        assert sorted(each.request.length for each in tuner.report.passes) == [4, 8]
        assert all(each.measured and not each.discarded for each in tuner.report.passes)
        assert plan.explain().count("tuned on this device") == 4
        assert_transforms(plan)
        assert set(store.entries()) == {each.entry for each in tuner.report.passes}


@pytest.mark.usefixtures("_as_on_a_gpu")
def test_the_worker_begins_with_the_kernel_in_use_here(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.VARIABLE, "")  # so that it cannot read it from a file
    with glfft.Plan(ctx, (1, 8)) as plan:
        slow = KernelConfig((2, 2, 2), 4)
        store.remember([Entry.of(plan._tunable()[0], "stockham", slow, 8.0)])
    with glfft.Plan(ctx, (1, 8)) as plan, plan.background_tuner(quick=True) as tuner:
        assert radices_of(plan) == {slow.radices}
        until(lambda: tuner.step(budget_ms=5.0))
        assert [each.before for each in tuner.report.passes] == [Choice("stockham", slow)]


@pytest.mark.usefixtures("_as_on_a_gpu")
def test_without_a_worker_the_search_goes_on_here(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_interpreter", lambda: None)
    with glfft.Plan(ctx, (1, 8)) as plan, plan.background_tuner(quick=True) as tuner:
        until(lambda: tuner.step(budget_ms=5.0))
        assert isinstance(tuner._search, LocalSearch)
        assert len(tuner.report.passes) == 1
        assert "tuned on this device" in plan.explain()


@pytest.mark.usefixtures("_as_on_a_gpu")
def test_a_process_that_ends_half_way_loses_nothing_found(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (8, 4), algorithm="stockham") as plan, plan.background_tuner(quick=True) as tuner:
        search = tuner._search
        assert isinstance(search, RemoteSearch)
        until(lambda: tuner.step(budget_ms=0.0) or tuner.report.passes)
        (first,) = tuner.report.passes
        # In the midst of the next.
        until(lambda: tuner.step(budget_ms=0.0) or tuner.share_done > 0.5)
        assert not tuner.done
        assert search._worker._process is not None
        search._worker._process.kill()
        shares = shares_to_the_end(tuner)
        assert isinstance(tuner._search, LocalSearch)
        assert shares == sorted(shares)
        assert tuner.report.passes[0] == first
        assert sorted(each.request.length for each in tuner.report.passes) == [4, 8]
        assert_transforms(plan)


class Script:
    """Answers in the place of a worker, one after the other."""

    def __init__(self, answers: list[SearchProgress]) -> None:
        self.coming = answers
        self.asked: list[float] = []
        self.lost = self.busy = False

    def __call__(self, job: SearchJob) -> Script:
        return self

    def ask(self, budget_ms: float) -> None:
        self.asked.append(budget_ms)

    def answers(self) -> list[SearchProgress]:
        return [self.coming.pop(0)] if self.asked and self.coming else []

    def release(self) -> None:
        self.lost = True


@pytest.mark.usefixtures("_as_on_a_gpu")
def test_what_goes_wrong_in_the_worker_is_raised_here(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script(
        [SearchProgress(0.5, warnings=("A kernel is wrong.",)), SearchProgress(error=TimingError("It cannot be."))]
    )
    monkeypatch.setattr(tuner_module, "Worker", script)
    with glfft.Plan(ctx, (1, 8)) as plan:
        tuner = plan.background_tuner()
        assert not tuner.step(budget_ms=3.0)
        with pytest.warns(UserWarning, match=r"A kernel is wrong\."):
            assert not tuner.step(budget_ms=4.0)
        assert tuner.share_done == 0.5
        with pytest.raises(TimingError, match=r"It cannot be\."):
            tuner.step()
        assert tuner.done
        assert script.asked == [3.0, 4.0]
        assert script.lost
        assert not tuner.report.passes
