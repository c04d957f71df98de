"""Measuring: the plan takes the fastest right kernel at the end or stays as it was, and only sound samples count."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import moderngl
import numpy as np
import pytest
from support import images
from support.gl_objects import live_objects
from support.images import random_values
from support.programs import lines_of
from support.tolerances import assert_close
from support.tuning import PretendGpu, assert_transforms, config_of, favour, radices_of

import glfft
from glfft.algorithms.passes import Choice
from glfft.algorithms.registry import family_of
from glfft.engine.compiled_pass import CompiledPass
from glfft.errors import ReleasedError, ShaderError, TextureError, TimingError
from glfft.gl.context import driver_of
from glfft.profiling.timing import WARM_UP_SECONDS
from glfft.tuning import measure
from glfft.tuning.measure import QueuePairClock, WallPairClock, _Comparison
from glfft.tuning.precompile import CONTINUE
from glfft.tuning.workbench import Workbench
from glfft.wisdom import store


def test_a_tuned_plan_runs_the_fastest_and_so_do_plans_to_come(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    favour(monkeypatch, (4, 2))
    shares: list[float] = []
    with glfft.Plan(ctx, (8, 8), algorithm="stockham") as plan:
        assert radices_of(plan) == {(8,)}
        report = plan.tune(shares.append, quick=True)
        assert radices_of(plan) == {(4, 2)}
        assert_transforms(plan)
        assert "rows: tuned on this device: 4 us a pass of 64 points of rg32f" in plan.explain()
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert [(config_of(each.before).radices, config_of(each.after).radices, each.ratio) for each in report.passes] == [
        ((8,), (4, 2), 2.0)
    ] * 2
    assert "8 columns of 8" in report.to_text()
    assert "4x2" in str(report)
    with glfft.Plan(ctx, (8, 8), algorithm="stockham") as another:
        assert radices_of(another) == {(4, 2)}
    entries = json.loads(file.read_text())["entries"]
    assert {entry["axis"] for entry in entries} == {0, 1}
    assert {(entry["renderer"], entry["driver"]) for entry in entries} == {(ctx.info["GL_RENDERER"], driver_of(ctx))}


def test_tuning_by_the_clock_leaves_a_plan_that_transforms(ctx: moderngl.Context, file: Path) -> None:
    for layers, storage in ((None, "rg32f"), (2, "buffer")):
        with glfft.Plan(ctx, (4, 16), layers=layers, storage=storage, algorithm="stockham") as plan:
            report = plan.tune(quick=True)
            assert_transforms(plan)
            assert len(report.passes) == 2
            for each in report.passes:
                assert 0 < each.after_microseconds <= each.before_microseconds
                assert each.discarded == 0


def test_a_second_run_starts_from_the_first(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    favour(monkeypatch, (2, 4))
    with glfft.Plan(ctx, (1, 8)) as plan:
        plan.tune(quick=True)
        favour(monkeypatch, (4, 2))
        (found,) = plan.tune(quick=True).passes
        assert (config_of(found.before).radices, config_of(found.after).radices) == ((2, 4), (4, 2))


@pytest.mark.parametrize("stop", [KeyboardInterrupt, glfft.GlfftError])
@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_a_tuning_that_does_not_end_changes_nothing(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, file: Path, stop: type[BaseException]
) -> None:
    favour(monkeypatch, (4, 2))

    def progress(share: float) -> None:
        if share > 0.6:
            raise stop

    with glfft.Plan(ctx, (8, 8), algorithm="stockham") as plan:
        before = dict(plan._pipelines)
        live = None
        for _ in range(2):
            with pytest.raises(stop):
                plan.tune(progress, quick=True)
            assert plan._pipelines == before
            assert not store.entries()
            assert not file.exists()
            # The first has compiled programs that stay cached.
            assert live in (None, live_objects(ctx))
            live = live_objects(ctx)
        assert_transforms(plan)


@pytest.mark.filterwarnings("ignore:A kernel for")
def test_kernels_that_are_wrong_or_refused_are_not_taken(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    favour(monkeypatch, (4, 2))
    compile_kernel = Workbench.compile

    def sabotaged(bench: Workbench, choice: Choice) -> CompiledPass:
        (spec,) = family_of(choice.family).passes(replace(bench.request, direction=1), choice.config)
        if spec.radices == (2, 4):
            raise ShaderError("refused")
        if spec.radices == (4, 2):
            return CompiledPass(bench.ctx, spec)
        return compile_kernel(bench, choice)

    monkeypatch.setattr(Workbench, "compile", sabotaged)
    with glfft.Plan(ctx, (1, 8)) as plan:
        with pytest.warns(UserWarning, match=r"different result.*4x2"):
            (found,) = plan.tune(quick=True).passes
        assert found.after == found.before
        assert found.discarded >= 2
        assert radices_of(plan) == {(8,)}


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_what_snippets_were_set_to_outlasts_tuning(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    favour(monkeypatch, (4, 2))
    store = """
    uniform float factor;
    uniform sampler2D weights;
    void store(ivec3 at, value v) { write_target(at, v * factor * texelFetch(weights, at.xy, 0).x); }
    """
    weights = np.linspace(1, 2, 64, dtype=np.float32).reshape(8, 8)
    texture = ctx.texture((8, 8), 1, weights.tobytes(), dtype="f4")
    with glfft.Plan(ctx, (8, 8), algorithm="stockham", store=store) as plan:
        plan.set_uniforms(factor=3.0, weights=texture)
        plan.tune(quick=True)
        values = random_values(plan.request.storage, plan.shape, None)
        images.run(plan, values)  # a first run makes what later ones use
        live = live_objects(ctx)
        plan.tune(quick=True)
        assert radices_of(plan) == {(4, 2)}
        assert_close(images.run(plan, values), 3.0 * weights * np.fft.fft2(values.astype(np.complex128)))
        plan.set_uniforms(factor=1.0)
        assert_close(images.run(plan, values), weights * np.fft.fft2(values.astype(np.complex128)))
        # Fewer where the context's cache of programs is full.
        assert all(live_objects(ctx)[kind] <= count for kind, count in live.items())
    texture.release()


def test_a_texture_released_before_tuning_is_missed_by_a_run_alone(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    favour(monkeypatch, (4, 2))
    load = """
    uniform sampler2D weights;
    value load(ivec3 at) { return read_source(at) * texelFetch(weights, at.xy, 0).x; }
    """
    texture = ctx.texture((8, 8), 1, dtype="f4")
    source = ctx.texture((8, 8), 2, dtype="f4")
    with glfft.Plan(ctx, (8, 8), algorithm="stockham", load=load) as plan:
        plan.set_uniforms(weights=texture)
        texture.release()
        plan.tune(quick=True)
        assert radices_of(plan) == {(4, 2)}
        with pytest.raises(TextureError, match="released"):
            plan.forward(source, source)
    source.release()


def test_a_plan_without_a_choice_has_nothing_to_tune(ctx: moderngl.Context, file: Path) -> None:
    for shape, algorithm in (((8, 8), "stockham-radix4"), ((8, 8), "cooley-tukey-stages"), ((1, 1), "auto")):
        with glfft.Plan(ctx, shape, algorithm=algorithm) as plan:
            report = plan.tune()
            assert report.passes == ()
            assert "nothing to tune" in report.to_text()
    assert not file.exists()


def test_a_released_plan_is_not_tuned(ctx: moderngl.Context) -> None:
    plan = glfft.Plan(ctx, (4, 4))
    plan.release()
    with pytest.raises(ReleasedError):
        plan.tune()


def test_on_a_gpu_tuning_waits_at_pauses_alone(
    ctx: moderngl.Context, pretend: Callable[[PretendGpu], PretendGpu], monkeypatch: pytest.MonkeyPatch
) -> None:
    gpu = pretend(PretendGpu(lambda radices: 3.0 if radices == (4, 2) else 5.0))

    def finish(ctx: moderngl.Context) -> None:
        gpu.steps += 2

    busy: list[float] = []
    keep_busy = gpu.keep_busy

    def note_and_keep_busy(seconds: float) -> None:
        busy.append(seconds)
        keep_busy(seconds)

    monkeypatch.setattr(gpu, "keep_busy", note_and_keep_busy)
    monkeypatch.setattr(moderngl.Context, "finish", finish)
    with glfft.Plan(ctx, (1, 8)) as plan:
        (found,) = plan.tune(quick=True).passes
        assert (found.before_microseconds, found.after_microseconds) == pytest.approx((5.0, 3.0))
        assert radices_of(plan) == {(4, 2)}
    assert gpu.released
    # Clocks of an idle GPU are slow: it is warmed up for every kernel.
    assert busy.count(WARM_UP_SECONDS) == found.measured


class Queue:
    """A queue that has been worked through whenever it is asked, and notes what goes into it."""

    def __init__(self, fills: Callable[[float], bool] = lambda seconds: True) -> None:
        self.fills = fills
        self.queued: list[str] = []
        self.busy: list[float] = []
        self.full = False
        self.asked = False

    def __call__(self, ctx: moderngl.Context) -> Queue:
        return self

    def call(self, name: str) -> Callable[[], None]:
        return lambda: self.queued.append(name)

    def keep_busy(self, seconds: float) -> None:
        self.queued.append("busy")
        self.busy.append(seconds)
        self.full, self.asked = self.fills(seconds), False

    def stamp(self) -> int:
        self.queued.append("stamp")
        return len(self.queued)

    def passed(self, stamp: int) -> bool:
        # Asked first at the end of queueing, and then when it is waited for.
        passed, self.asked = self.asked or not self.full, True
        return passed

    def microseconds_between(self, first: int, second: int) -> float:
        return float(sum(name in "ab" for name in self.queued[first : second - 1]))


def clock_of(queue: Queue, monkeypatch: pytest.MonkeyPatch, budget: float | None) -> QueuePairClock:
    monkeypatch.setattr(measure, "GlQueue", queue)
    clock = QueuePairClock(cast(moderngl.Context, None))
    clock.budget = budget
    return clock


def result_of(steps: Generator[bool, None, Any]) -> Any:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_calls_of_a_sample_follow_one_left_out_in_one_full_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = Queue()
    clock = clock_of(queue, monkeypatch, 101e-6)
    clock.call_seconds = 1e-12
    pair = (queue.call("a"), queue.call("b"))
    assert result_of(clock.rehearse(pair)) == (1.0, 1.0)
    assert queue.queued == ["busy", "stamp", "a", "stamp", "stamp", "b", "stamp"]
    queue.queued.clear()
    clock.call_seconds = 1e-12
    assert result_of(clock.sample(pair, (15.0, 10.0))) == (1.0, 1.0)
    # 4 calls of each fit 100 us.
    assert queue.queued == ["busy", *["a", "stamp", "a", "a", "a", "stamp", "b", "stamp", "b", "b", "b", "stamp"]]


def test_a_program_held_up_now_and_then_does_not_end_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    filled: list[float] = []

    def fills(seconds: float) -> bool:
        filled.append(seconds)
        return len(filled) % 20 != 0

    queue = Queue(fills)
    clock = clock_of(queue, monkeypatch, 1e-3)
    samples = []
    for _ in range(400):
        clock.call_seconds = 1e-5
        samples.append(result_of(clock.sample((queue.call("a"), queue.call("b")), (10.0, 10.0))))
    assert samples.count(None) == 20
    # Busy for little longer than queueing takes once more.
    assert clock.busy_factor < 5


def test_a_queue_that_is_never_filled_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = Queue(lambda seconds: False)

    def samples(clock: QueuePairClock) -> None:
        for _ in range(100):
            assert result_of(clock.sample((queue.call("a"), queue.call("b")), (10.0, 10.0))) is None

    for budget in (1e-3, None):
        with pytest.raises(TimingError, match="kept busy"):
            samples(clock_of(queue, monkeypatch, budget))


def test_a_pause_while_calls_are_queued_does_not_blow_the_next_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(measure.time, "perf_counter", lambda: now)
    queue = Queue()
    clock = clock_of(queue, monkeypatch, 1e-3)
    clock.call_seconds = 1e-5

    def held_up() -> None:
        nonlocal now
        now += 0.1

    result_of(clock.sample((held_up, queue.call("b")), (10.0, 10.0)))
    queue.busy.clear()
    result_of(clock.sample((queue.call("a"), queue.call("b")), (10.0, 10.0)))
    assert queue.busy[0] <= 1e-3


@pytest.mark.parametrize(("budget", "expected", "calls"), [(None, 5e3, 4), (None, 50e3, 2), (8e-3, 5e3, 2)])
def test_by_the_wall_clock_a_call_is_left_out_where_there_is_time(
    ctx: moderngl.Context, budget: float | None, expected: float, calls: int
) -> None:
    clock = WallPairClock(ctx)
    clock.budget = budget
    called: list[str] = []
    pair = (lambda: called.append("a"), lambda: called.append("b"))
    assert min(result_of(clock.sample(pair, (expected, expected)))) > 0
    assert "".join(called) == "a" * (calls // 2) + "b" * (calls // 2)


def test_slow_and_hopeless_kernels_get_fewer_samples(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    times = {"fast": 100.0, "slower": 110.0, "hopeless": 160.0, "slow": 200e3}
    counted: list[str] = []

    def samples(reference: str, kernel: str, thorough: bool) -> int:
        counted.clear()

        def timed(clock: WallPairClock, call: Callable[[], None], leads_in: bool) -> Iterator[bool]:
            yield CONTINUE
            counted.append("call")
            return times[reference if len(counted) % 2 else kernel]

        monkeypatch.setattr(WallPairClock, "_timed", timed)
        comparison = _Comparison(cast(Workbench, None), WallPairClock(ctx), None)
        comparison._reference = nothing = cast(CompiledPass, None)
        ratio = result_of(comparison._time(nothing, thorough))
        assert ratio == pytest.approx(times[kernel] / times[reference])
        return len(comparison._reference_times)

    assert samples("fast", "slower", False) == 7
    assert samples("fast", "slower", True) == 21
    assert samples("fast", "hopeless", True) == 2
    assert samples("slow", "slow", False) == 3
    assert samples("slow", "slow", True) == 4


ELSEWHERE = """
import numpy as np
import glfft
from glfft.gl.context import state_of
from glfft.tuning import measure

first, second = glfft.open_context(), glfft.open_context()
first.__enter__()
kind = "WallPairClock" if state_of(first).device.software else "QueuePairClock"

class Clock(getattr(measure, kind)):
    def release(self):
        print("clock released in", "its context" if state_of(first).check.is_current() else "another one")
        super().release()

setattr(measure, kind, Clock)
plan = glfft.Plan(first, (8, 16), algorithm="stockham")
search = measure.LocalSearch(first, plan._tunable(), True)
while search._bench is None:
    search.step(1e-3)
made = [item.glo for item in search._bench._owned]
second.__enter__()
array = np.random.default_rng(0).standard_normal((8, 16)).astype(np.complex64)
# Names of objects are small numbers, the same in every context.
kept = [second.texture((16, 8), 2, array.tobytes(), dtype="f4") for _ in range(max(made) + 1)]
kept += [second.buffer(array.tobytes()) for _ in range(max(made) + 1)]
search.release()
print(all(item.read() == array.tobytes() for item in kept), second.error, len(made))
first.__enter__()
waiting = state_of(first).dropped
print(len(waiting))
kept = glfft.Plan(first, (8, 8))
print(len(waiting))
"""


def test_releasing_a_search_frees_nothing_of_the_context_that_is_current() -> None:
    assert lines_of(ELSEWHERE, {**os.environ, "GLFFT_WISDOM": ""}) == [
        "True GL_NO_ERROR 3",
        "4",
        "clock released in its context",
        "0",
    ]
