"""Tuning while a program runs: a little each step, without waiting for a GPU, and the plan works all the while."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
import pytest
from support import images
from support.gl_objects import live_objects
from support.images import random_values
from support.pictures import NUMPY, run
from support.tolerances import assert_close
from support.tuning import CompilesNothing, PretendGpu, assert_transforms, radices_of, until

import glfft
from glfft.algorithms.passes import Choice
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.compiled_pass import CompiledPass
from glfft.errors import OptionError, ReleasedError, TimingError
from glfft.gl.context import is_software, state_of
from glfft.gl.functions import clear_errors, load_function
from glfft.tuning import measure
from glfft.tuning import tuner as tuner_module
from glfft.tuning.measure import LocalSearch, QueuePairClock
from glfft.tuning.precompile import Precompiler
from glfft.tuning.workbench import Workbench
from glfft.wisdom import store


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile here: what tests of this file need is compiled in less time than a process takes to start."""
    monkeypatch.setattr(tuner_module, "Precompiler", CompilesNothing)


def step_to_the_end(tuner: tuner_module.BackgroundTuner) -> None:
    until(lambda: tuner.step(budget_ms=5.0))


def step_until_it_holds_textures(tuner: tuner_module.BackgroundTuner) -> None:
    search = tuner._search
    assert isinstance(search, LocalSearch)
    until(lambda: tuner.step(0.1) or search._bench)
    assert not tuner.done


def queue_clock_of(tuner: tuner_module.BackgroundTuner) -> QueuePairClock:
    assert isinstance(tuner._search, LocalSearch)
    assert isinstance(tuner._search._clock, QueuePairClock)
    return tuner._search._clock


def run_to_the_end(
    tuner: tuner_module.BackgroundTuner,
    gpu: PretendGpu,
    budget_ms: float = 1.0,
    call_seconds: float | None = None,
    each_step: Callable[[], object] = lambda: None,
) -> None:
    """Step until it is done.

    Args:
        call_seconds: what Python is to take to queue a call, instead of what it takes here.
    """
    for _ in range(2000):
        gpu.steps += 1
        gpu.busy_in_step = gpu.calls_in_step = 0
        if call_seconds is not None:
            queue_clock_of(tuner).call_seconds = call_seconds
        done = tuner.step(budget_ms)
        each_step()
        if done:
            return
    raise AssertionError("it does not end")


def test_on_a_gpu_the_fastest_is_found_without_waiting(
    ctx: moderngl.Context, pretend: Callable[[PretendGpu], PretendGpu], monkeypatch: pytest.MonkeyPatch
) -> None:
    gpu = pretend(PretendGpu(lambda radices: 3.0 if radices == (4, 2) else 5.0))
    with glfft.Plan(ctx, (8, 8), algorithm="stockham") as plan:
        tuner = plan.background_tuner(quick=True)
        monkeypatch.setattr(moderngl.Context, "finish", lambda ctx: pytest.fail("it waits"))
        run_to_the_end(tuner, gpu)
        assert tuner.done
        assert tuner.share_done == 1.0
        assert gpu.released
        assert radices_of(plan) == {(4, 2)}
        for each in tuner.report.passes:
            assert (each.before_microseconds, each.after_microseconds) == pytest.approx((5.0, 3.0))
        assert "tuned on this device: 3 us" in plan.explain()
        assert tuner.step() is True
        assert_transforms(plan)
    with glfft.Plan(ctx, (8, 8), algorithm="stockham") as another:
        assert radices_of(another) == {(4, 2)}


@pytest.mark.parametrize("budget_ms", [0.5, 2.0])
def test_a_step_on_a_gpu_keeps_to_its_budget(
    ctx: moderngl.Context, pretend: Callable[[PretendGpu], PretendGpu], budget_ms: float
) -> None:
    gpu = pretend(PretendGpu(lambda radices: 10.0))
    with glfft.Plan(ctx, (1, 8)) as plan:
        tuner = plan.background_tuner(quick=True)
        calls = []

        def keeps_to_it() -> None:
            assert gpu.busy_in_step * 1e3 + gpu.calls_in_step * 10e-3 <= budget_ms * 1.001
            calls.append(gpu.calls_in_step)

        run_to_the_end(tuner, gpu, budget_ms, 1e-5, keeps_to_it)
        assert max(calls) >= 8


def test_times_from_a_queue_that_ran_empty_do_not_count(
    ctx: moderngl.Context, pretend: Callable[[PretendGpu], PretendGpu]
) -> None:
    gpu = pretend(PretendGpu(lambda radices: 5.0, busy_needed=0.85e-3))
    with glfft.Plan(ctx, (1, 8)) as plan:
        tuner = plan.background_tuner(quick=True)
        run_to_the_end(tuner, gpu, call_seconds=1e-5)
        assert queue_clock_of(tuner).busy_factor > measure._BUSY_FACTOR
        assert tuner.report.passes


def test_a_queue_that_cannot_be_filled_is_an_error_and_no_figure(
    ctx: moderngl.Context, pretend: Callable[[PretendGpu], PretendGpu]
) -> None:
    gpu = pretend(PretendGpu(lambda radices: 5.0, busy_needed=1e9))
    with glfft.Plan(ctx, (1, 8)) as plan:
        tuner = plan.background_tuner(quick=True)
        with pytest.raises(TimingError):
            run_to_the_end(tuner, gpu)
        assert tuner.done
        assert not tuner.report.passes
        assert radices_of(plan) == {(8,)}
        assert not store.entries()


def test_the_plan_works_between_the_steps_and_none_compiles_two_kernels(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = []
    compile_kernel = Workbench.compile

    def compile_and_count(bench: Workbench, choice: Choice) -> CompiledPass:
        compiled.append(choice)
        return compile_kernel(bench, choice)

    monkeypatch.setattr(Workbench, "compile", compile_and_count)
    monkeypatch.setattr(tuner_module, "Precompiler", Precompiler)
    with glfft.Plan(ctx, (4, 8), algorithm="stockham") as plan, plan.background_tuner(quick=True) as tuner:
        shares = [tuner.share_done]

        def step() -> bool:
            before, ways = len(compiled), dict(plan._pipelines)
            tuner.step(budget_ms=0.5)
            assert len(compiled) - before <= 1
            shares.append(tuner.share_done)
            if shares[-1] != shares[-2] or plan._pipelines != ways:
                assert_transforms(plan)
            return tuner.done

        until(step)
        assert shares == sorted(shares)
        assert shares[-1] == 1.0
        assert len(tuner.report.passes) == 2
        assert plan.explain().count("tuned on this device") == 4


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_released_half_way_it_leaves_nothing_and_the_plan_as_it_was(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuner_module, "is_software", lambda ctx: True)
    state_of(ctx).caches.pop("programs", None)  # a full cache would let go of programs meanwhile
    with glfft.Plan(ctx, (1, 8)) as plan:
        plan.background_tuner().release()
        # Programs stay cached.
        with plan.background_tuner() as tuner:
            step_until_it_holds_textures(tuner)
        before, passes = live_objects(ctx), dict(plan._pipelines)
        with plan.background_tuner() as tuner:
            step_until_it_holds_textures(tuner)
            assert live_objects(ctx) != before
        assert tuner.done
        assert live_objects(ctx) == before
        dropped = plan.background_tuner()
        step_until_it_holds_textures(dropped)
        del dropped
        gc.collect()
        state_of(ctx).release_dropped()
        assert live_objects(ctx) == before
        assert plan._pipelines == passes
        assert not store.entries()


def test_a_plan_released_meanwhile_is_an_error_in_time(ctx: moderngl.Context) -> None:
    plan = glfft.Plan(ctx, (1, 4))
    tuner = plan.background_tuner(quick=True)
    plan.release()
    with pytest.raises(ReleasedError):
        step_to_the_end(tuner)
    assert tuner.done
    assert not store.entries()
    with pytest.raises(ReleasedError):
        plan.background_tuner()


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_a_plan_released_while_it_takes_what_was_found_takes_nothing(ctx: moderngl.Context) -> None:
    load = "value load(ivec3 at) { return 2.0 * read_source(at); }"
    with glfft.Plan(ctx, (4, 8), algorithm="stockham") as plan:
        found = plan.tune(quick=True).passes
    # Programs without snippets are kept for later plans: compile them, whichever were found, before counting.
    with glfft.Plan(ctx, (4, 8), algorithm="stockham", load=load) as plan:
        state_of(ctx).release_dropped()
        usual = live_objects(ctx)["Program"]
        list(plan._install(found))
        state_of(ctx).release_dropped()
        assert live_objects(ctx)["Program"] == usual, "new programs in place of old ones"
    state_of(ctx).release_dropped()
    before = live_objects(ctx)
    plan = glfft.Plan(ctx, (4, 8), algorithm="stockham", load=load)
    steps = plan._install(found)
    next(steps)
    next(steps)
    plan.release()
    with pytest.raises(ReleasedError):
        list(steps)
    state_of(ctx).release_dropped()
    assert live_objects(ctx) == before


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_what_is_installed_meanwhile_is_replaced_and_its_uniforms_stay(ctx: moderngl.Context) -> None:
    load = "uniform float gain; value load(ivec3 at) { return gain * read_source(at); }"
    values = random_complex((4, 8))
    with glfft.Plan(ctx, (4, 8), algorithm="stockham", load=load) as plan:
        plan.set_uniforms(gain=2.0)
        found = plan.tune(quick=True).passes
        state_of(ctx).release_dropped()
        usual = live_objects(ctx)["Program"]
        steps = plan._install(found)
        next(steps)
        list(plan._install(found))
        plan.set_uniforms(gain=3.0)
        list(steps)
        assert_close(run(plan, values), NUMPY["forward"](3.0 * values))
        state_of(ctx).release_dropped()
        assert live_objects(ctx)["Program"] == usual


def test_errors_of_the_program_are_not_the_kernels(ctx: moderngl.Context) -> None:
    enable = load_function(ctx, "glEnable", None, ctypes.c_uint)
    with glfft.Plan(ctx, (1, 8)) as plan, plan.background_tuner(quick=True) as tuner:

        def step() -> bool:
            enable(0xFFFF)  # there is no such thing to be enabled
            return tuner.step(budget_ms=0.1)

        until(step)
        (found,) = tuner.report.passes
        assert found.discarded == 0
    clear_errors(ctx)


@pytest.mark.parametrize("budget", ["1", None, 1j, float("nan")])
def test_a_budget_that_is_no_number_is_refused_and_nothing_lost(ctx: moderngl.Context, budget: Any) -> None:
    with glfft.Plan(ctx, (1, 8)) as plan, plan.background_tuner(quick=True) as tuner:
        with pytest.raises(OptionError, match="must be a number of milliseconds"):
            tuner.step(budget)
        assert not tuner.done
        for unlimited in (float("inf"), 10**400):
            tuner.step(unlimited)
        step_to_the_end(tuner)
        assert tuner.report.passes


def test_with_nothing_to_tune_it_is_done_at_once(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (8, 8), algorithm="stockham-radix2") as plan:
        tuner = plan.background_tuner()
        assert tuner.done
        assert tuner.step()
        assert "nothing to tune" in str(tuner.report)


def test_real_plans_and_convolutions_are_tuned_like_others(ctx: moderngl.Context) -> None:
    multiply = "value product(ivec3 at, value spectrum) { return 2.0 * spectrum; }"
    with glfft.Plan(ctx, (4, 8), algorithm="stockham", multiply=multiply, norm="ortho") as plan:
        report = plan.tune(quick=True)
        assert len(report.passes) == 2
        values = random_values(plan.request.storage, plan.shape, None)
        source = images.upload(ctx, values, plan.request.storage, None)
        target = images.blank(ctx, plan.shape, plan.request.storage, None)
        plan.convolve(source, target, next_use="read")
        assert_close(images.download(target, plan.request.storage, plan.shape, None), 2.0 * values)
        images.release(source, target)
    with glfft.Plan(ctx, (4, 8), algorithm="stockham", real=True) as plan, plan.background_tuner(quick=True) as tuner:
        step_to_the_end(tuner)
        picture = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)
        source = ctx.texture((8, 4), 1, picture.tobytes(), dtype="f4")
        rows, columns = plan.spectrum_shape
        target = ctx.texture((columns, rows), 2, dtype="f4")
        plan.forward(source, target, next_use="read")
        spectrum = np.frombuffer(target.read(), np.complex64).reshape(rows, columns)
        assert_close(spectrum, np.fft.rfft2(picture.astype(np.float64)))
        images.release(source, target)


def test_the_context_at_hand_says_which_way_is_taken(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (1, 8)) as plan, plan.background_tuner() as tuner:
        assert isinstance(tuner._search, LocalSearch) == is_software(ctx)
