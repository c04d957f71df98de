"""A plan that does not wait for the compiler: right from the first run on, and in the end what any plan is."""

from __future__ import annotations

import gc
import threading
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.pictures import NUMPY, run
from support.tolerances import BLUESTEIN_DB, assert_close
from support.tuning import PATIENCE_SECONDS, assert_transforms, specs_of, until

import glfft
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import FORWARD, PlanRequest
from glfft.errors import ShaderError
from glfft.gl.context import state_of
from glfft.tuning import precompile, worker
from glfft.tuning.precompile import Precompiler

SHAPE = (12, 64)
QUICK = "quick to compile"


pytestmark = pytest.mark.usefixtures("with_a_worker")


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker process: what it is waited for is there at once."""
    monkeypatch.setattr(worker, "_interpreter", lambda: None)


@pytest.fixture
def gpu(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that plans take for a GPU."""
    state = state_of(ctx)
    monkeypatch.setattr(state, "device", replace(state.device, renderer="a GPU"))


def runs(plan: glfft.Plan, direction: str = "forward") -> bool:
    """Run the plan once, and say whether it has settled."""
    values = random_complex(plan.shape)
    assert_close(run(plan, values, direction), NUMPY[direction](values))
    return plan.settled


@pytest.mark.parametrize("direction", ["forward", "inverse"])
@pytest.mark.usefixtures("alone")
def test_every_run_is_right_until_the_plan_is_as_if_it_had_waited(ctx: moderngl.Context, direction: str) -> None:
    with glfft.Plan(ctx, SHAPE, wait=False) as plan, glfft.Plan(ctx, SHAPE) as waiting:
        assert waiting.settled
        assert not plan.settled
        assert plan.explain() != waiting.explain()
        until(lambda: runs(plan, direction))
        assert plan.explain() == waiting.explain()
        assert plan.source() == waiting.source()
        runs(plan)


def test_on_nvidias_gpus_there_is_no_worker(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precompile, "is_nvidias", lambda ctx: True)
    monkeypatch.setattr(precompile, "Worker", None)
    with glfft.Plan(ctx, (5, 28), wait=False) as plan:
        until(lambda: run(plan, random_complex(plan.shape)) is not None and plan.settled)


def test_a_worker_compiles_the_fast_kernels(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, SHAPE, wait=False) as plan:
        until(lambda: runs(plan))
        assert QUICK not in plan.explain()


@pytest.mark.usefixtures("alone")
def test_no_run_chooses_the_fast_kernels(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: dict[bool, set[threading.Thread]] = {True: set(), False: set()}

    def noted(request: PlanRequest, *rest: Any) -> Any:
        threads[request.quick].add(threading.current_thread())
        return plan_passes(request, *rest)

    monkeypatch.setattr("glfft.plan.plan_passes", noted)
    with glfft.Plan(ctx, SHAPE, wait=False) as plan:
        until(lambda: runs(plan))
    assert threads[True] == {threading.current_thread()}
    assert len(threads[False]) == 1
    assert threads[False].isdisjoint(threads[True])


def test_both_directions_share_programs_meanwhile(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, SHAPE, wait=False) as plan:
        # Rows and columns on a software renderer, one for both on a GPU.
        assert len({text.text for text in plan.source()}) <= 2


@pytest.mark.parametrize(
    "options",
    [
        {"real": True},
        {"kind": "dct2"},
        {"layers": 2, "storage": "rgba32f"},
        {"storage": "buffer_double"},
        {"algorithm": "cooley-tukey"},
    ],
    ids=str,
)
@pytest.mark.usefixtures("alone")
def test_every_kind_of_plan_may_not_wait(ctx: moderngl.Context, options: dict[str, Any]) -> None:
    shape = (16, 37) if "kind" in options else (16, 64)
    dtype = "f8" if "double" in options.get("storage", "") else "f4"
    with glfft.Plan(ctx, shape, wait=False, **options) as plan, glfft.Plan(ctx, shape, **options) as waiting:
        source, target = (each.make() for each in plan._images[FORWARD])
        numbers = len(source.read()) // np.dtype(dtype).itemsize
        source.write(np.random.default_rng(1).standard_normal(numbers).astype(dtype).tobytes())

        def spectrum(of: glfft.Plan) -> np.ndarray:
            of.forward(source, target, next_use="read")
            return np.frombuffer(target.read(), dtype).astype(np.float64)

        exact = spectrum(waiting)
        assert_close(spectrum(plan), exact)
        until(lambda: spectrum(plan) is not None and plan.settled)
        assert_close(spectrum(plan), exact)
        source.release()
        target.release()


@pytest.mark.usefixtures("alone")
def test_uniforms_stay_as_they_were_set(ctx: moderngl.Context) -> None:
    load = "uniform float gains[2]; value load(ivec3 at) { return gains[0] * gains[1] * read_source(at); }"
    values, gains = random_complex(SHAPE), np.array([4.0, 0.5])
    with glfft.Plan(ctx, SHAPE, load=load, wait=False) as plan:
        plan.set_uniforms(gains=gains)
        gains[:] = 7.0  # which is the caller's, and was not set
        for _ in range(2):
            assert_close(run(plan, values), NUMPY["forward"](2.0 * values))
            until(lambda: run(plan, values) is not None and plan.settled)


@pytest.mark.usefixtures("alone")
def test_what_tuning_finds_is_kept(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (4, 8), algorithm="stockham", wait=False) as plan:
        plan.tune(quick=True)
        assert plan.settled
        assert plan.explain().count("tuned on this device") == 4
        for _ in range(20):
            assert_transforms(plan)
        assert plan.explain().count("tuned on this device") == 4


@pytest.mark.usefixtures("alone", "gpu")
def test_tuning_finds_the_kernels_that_come_where_first_runs_have_none(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (4, 40), axes=(1,), wait=False) as plan, glfft.Plan(ctx, (4, 40), axes=(1,)) as waiting:
        assert all(each.choice is None for each in specs_of(plan))
        assert plan._tunable() == waiting._tunable() != []


@pytest.mark.usefixtures("alone", "gpu")
def test_images_of_first_runs_are_freed_once_others_come(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (60, 70), wait=False) as plan, glfft.Plan(ctx, (60, 70)) as waiting:
        first = list(plan._scratch.values())
        assert len(first) == 2
        until(lambda: runs(plan))
        runs(waiting)
        assert plan._scratch.keys() == waiting._scratch.keys()
        assert all(isinstance(each.mglo, moderngl.InvalidObject) for each in first)
        runs(plan)


@pytest.mark.usefixtures("alone")
def test_a_kernel_that_is_refused_leaves_the_plan_as_it_was(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    with glfft.Plan(ctx, SHAPE, wait=False) as plan:
        before = specs_of(plan)

        def refuse(*_: object) -> None:
            raise ShaderError("no")

        monkeypatch.setattr("glfft.engine.compiled_plan.CompiledPass", refuse)
        with pytest.raises(ShaderError, match="no"):
            until(lambda: runs(plan))
        assert specs_of(plan) == before
        runs(plan)


# No other test has these shapes: a context remembers what has been compiled for it.
@pytest.mark.parametrize(("by", "shape"), [("release", (3, 44)), ("dropping", (3, 52))])
def test_its_worker_ends_with_it(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, by: str, shape: tuple[int, int]
) -> None:
    made: list[Precompiler] = []
    pauses = Precompiler.pauses
    monkeypatch.setattr(Precompiler, "pauses", lambda self, spec: (made.append(self), pauses(self, spec))[1])
    plan = glfft.Plan(ctx, shape, wait=False)
    until(lambda: runs(plan) or made)
    assert made[0]._worker is not None
    process = made[0]._worker._process
    assert process is not None
    if by == "release":
        plan.release()
    else:
        del plan
        gc.collect()
    assert process.wait(PATIENCE_SECONDS) != 0


@pytest.mark.parametrize("length", [2, 30, 62, 997, 4896, 6336, 4099])
@pytest.mark.usefixtures("alone")
def test_kernels_that_compile_quickly_do_lines_of_any_length(ctx: moderngl.Context, length: int) -> None:
    values = random_complex((2, length))
    with glfft.Plan(ctx, values.shape, axes=(1,), wait=False) as plan:
        assert_close(run(plan, values), np.fft.fft(values, axis=1), BLUESTEIN_DB)
        assert_close(run(plan, values, "inverse"), np.fft.ifft(values, axis=1), BLUESTEIN_DB)
        assert not plan.settled
