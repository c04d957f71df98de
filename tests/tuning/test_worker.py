"""What is compiled and searched in another process, and what happens where there is none."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import moderngl
import pytest
from support.paths import ROOT
from support.tuning import PATIENCE_SECONDS, assert_transforms, radices_of, until

import glfft
from glfft.algorithms.passes import PassSpec
from glfft.engine.compiled_pass import Pass
from glfft.errors import ReleasedError, TimingError
from glfft.tuning import remote_search, worker
from glfft.tuning import tuner as tuner_module
from glfft.tuning.measure import LocalSearch
from glfft.tuning.precompile import NoPrecompiler, RemotePrecompiler
from glfft.tuning.remote_search import RemoteSearch
from glfft.tuning.worker import Worker
from glfft.tuning.worker_main import Device, PrecompileJob, SearchJob, SearchProgress
from glfft.wisdom import store


@pytest.fixture(autouse=True)
def _file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "wisdom.json"))


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


def compile_specs(ctx: moderngl.Context, shape: tuple[int, int], **options: Any) -> list[PassSpec]:
    with glfft.Plan(ctx, shape, **options) as plan:
        return [each.spec for way in plan._ways.values() for each in way.passes]


@pytest.mark.usefixtures("_as_on_a_gpu")
def test_a_search_elsewhere_ends_and_the_plan_takes_what_it_finds(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (4, 8)) as plan, plan.tuner(quick=True) as tuner:
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
def test_the_other_process_begins_with_the_kernel_in_use_here(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(store.VARIABLE, "")  # so that it cannot read it from a file
    with glfft.Plan(ctx, (1, 64)) as plan:
        (entry,) = (each.entry for each in plan.tune(quick=True).passes)
        slow = entry.kernel.__class__(radices=(2, 2, 2, 2, 2, 2), points=2)
        store.remember([entry.__class__(**{**vars(entry), "kernel": slow})])
    with glfft.Plan(ctx, (1, 64)) as plan, plan.tuner(quick=True) as tuner:
        assert radices_of(plan) == {slow.radices}
        until(lambda: tuner.step(budget_ms=5.0))
        assert [each.before for each in tuner.report.passes] == [slow]


@pytest.mark.usefixtures("_as_on_a_gpu")
def test_without_another_process_the_search_goes_on_here(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "_interpreter", lambda: None)
    with glfft.Plan(ctx, (1, 8)) as plan, plan.tuner(quick=True) as tuner:
        until(lambda: tuner.step(budget_ms=5.0))
        assert isinstance(tuner._search, LocalSearch)
        assert len(tuner.report.passes) == 1
        assert "tuned on this device" in plan.explain()


@pytest.mark.usefixtures("_as_on_a_gpu")
def test_a_process_that_ends_half_way_loses_nothing_found(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (64, 8)) as plan, plan.tuner(quick=True) as tuner:
        search = tuner._search
        assert isinstance(search, RemoteSearch)
        until(lambda: tuner.step(budget_ms=0.0) or tuner.report.passes)
        (first,) = tuner.report.passes
        # In the midst of the next.
        until(lambda: tuner.step(budget_ms=0.0) or tuner.share_done > 0.6)
        assert not tuner.done
        assert search._worker._process is not None
        search._worker._process.kill()
        shares = shares_to_the_end(tuner)
        assert isinstance(tuner._search, LocalSearch)
        assert shares == sorted(shares)
        assert tuner.report.passes[0] == first
        assert sorted(each.request.length for each in tuner.report.passes) == [8, 64]
        assert_transforms(plan)


def test_on_another_device_there_is_no_worker(ctx: moderngl.Context) -> None:
    there_is_none = Device("a renderer that nobody has", "1.0")
    compiler = RemotePrecompiler(ctx, PrecompileJob(there_is_none))
    (spec, *_) = compile_specs(ctx, (4, 8))
    compiler.begin(spec)
    until(compiler.ready)
    assert compiler._worker is not None
    until(lambda: compiler.ready() and compiler._worker is not None and compiler._worker.lost)
    compiler.begin(spec)
    assert compiler.ready()
    search = RemoteSearch(SearchJob(there_is_none, (spec.request,), True, ()))

    def step() -> bool:
        search.step(1.0)
        return search.lost

    until(step)
    assert not search.done
    compiler.release()
    search.release()


def test_a_program_that_python_is_built_into_is_not_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert worker._interpreter() == sys.executable
    for name in ("/opt/painter/painter", "", None):
        monkeypatch.setattr(sys, "executable", name)
        assert worker._interpreter() is None
        assert Worker(None).lost
    monkeypatch.undo()
    monkeypatch.setattr(sys, "path", [*sys.path, None, 3])
    odd = Worker(None)
    assert odd._finalizer is not None
    odd.release()
    monkeypatch.setattr(sys, "executable", "/nowhere/python3")
    assert Worker(None).lost
    monkeypatch.undo()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert worker._interpreter() is None


def test_released_it_ends_its_process(ctx: moderngl.Context) -> None:
    compiler = RemotePrecompiler(ctx, PrecompileJob(Device.of(ctx)))
    compiler.begin(compile_specs(ctx, (4, 8))[0])
    assert compiler._worker is not None
    process = compiler._worker._process
    assert process is not None
    compiler.release()
    assert process.wait(PATIENCE_SECONDS) != 0
    assert compiler.ready()


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
def test_what_goes_wrong_elsewhere_is_said_here(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script(
        [SearchProgress(0.5, warnings=("A kernel is wrong.",)), SearchProgress(error=TimingError("It cannot be."))]
    )
    monkeypatch.setattr(remote_search, "Worker", script)
    with glfft.Plan(ctx, (1, 8)) as plan:
        tuner = plan.tuner()
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


class Recorder(NoPrecompiler):
    """Compiles nothing ahead, and lets itself be asked twice for each pass."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.asked = 0

    def begin(self, spec: PassSpec) -> None:
        self.begun.append(spec.source.text)
        self.asked = 0

    def knows(self, spec: PassSpec) -> bool:
        return spec.source.text in self.begun

    def ready(self) -> bool:
        self.asked += 1
        return self.asked > 2


@pytest.mark.parametrize("load", [None, "value load(ivec3 at) { return 2.0 * read_source(at); }"])
def test_no_step_compiles_what_was_not_made_ready(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, load: str | None
) -> None:
    recorder = Recorder()
    monkeypatch.setattr(tuner_module, "is_software", lambda ctx: True)
    monkeypatch.setattr(tuner_module, "RemotePrecompiler", lambda ctx, job: recorder)
    compiled: list[str] = []
    compute_shader = moderngl.Context.compute_shader

    def compile_and_note(ctx: moderngl.Context, source: str) -> moderngl.ComputeShader:
        assert recorder.begun[-1] == source
        assert recorder.ready()
        compiled.append(source)
        return compute_shader(ctx, source)

    dispatch = Pass.dispatch

    def dispatch_what_is_ready(each: Pass, *ends: Any) -> None:
        assert each.spec.source.text in recorder.begun
        dispatch(each, *ends)

    # Of shapes that nothing else tunes, so that there is something left to compile.
    shape = (2, 1024) if load is None else (3, 1024)
    with glfft.Plan(ctx, shape, axes=(1,), storage="rgba32f", load=load) as plan, plan.tuner(quick=True) as tuner:
        monkeypatch.setattr(moderngl.Context, "compute_shader", compile_and_note)
        monkeypatch.setattr(Pass, "dispatch", dispatch_what_is_ready)
        until(lambda: tuner.step(budget_ms=0.1))
        assert compiled
        if load is not None:
            assert any(load in text for text in compiled)


def test_a_program_may_choose_the_moment_to_install(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (4, 8)) as plan:
        before = dict(plan._ways)
        with plan.tuner(quick=True, install=False) as tuner:
            until(lambda: tuner.step(budget_ms=5.0))
            assert tuner.done
            assert len(tuner.report.passes) == 2
            assert plan._ways == before
            assert not store.entries()
            tuner.install()
        assert plan._ways != before
        assert plan.explain().count("tuned on this device") == 4
        assert_transforms(plan)
        installed = dict(plan._ways)
        tuner.install()
        assert plan._ways == installed
    with glfft.Plan(ctx, (4, 8)) as plan:
        tuner = plan.tuner(quick=True, install=False)
        until(lambda: tuner.step(budget_ms=5.0))
    with pytest.raises(ReleasedError):
        tuner.install()


def test_installed_by_hand_while_steps_install_it_is_installed_once(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (1, 8)) as plan, plan.tuner(quick=True) as tuner:
        until(lambda: tuner.step(budget_ms=0.1) or tuner._installation)
        tuner.install()
        assert "tuned on this device" in plan.explain()
        installed = dict(plan._ways)
        until(lambda: tuner.step(budget_ms=5.0))
        assert plan._ways == installed
        assert_transforms(plan)


def test_an_installation_that_fails_can_be_tried_again(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    with glfft.Plan(ctx, (1, 8)) as plan, plan.tuner(quick=True, install=False) as tuner:
        until(lambda: tuner.step(budget_ms=5.0))
        with monkeypatch.context() as broken:
            broken.setattr(Pass, "__init__", Mock(side_effect=KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                tuner.install()
        assert "tuned on this device" not in plan.explain()
        tuner.install()
        assert "tuned on this device" in plan.explain()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where a process started from here has Mesa keep what it compiles."""
    monkeypatch.setenv("MESA_SHADER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("MESA_SHADER_CACHE_DISABLE", raising=False)
    return tmp_path / "cache"


# Runs a plan forward, in a process that finds in the cache what the worker has left there.
_RUNS = """
import ast, sys
sys.path[:0] = [sys.argv[1]]
from support import images
import glfft
with glfft.Plan(glfft.open_context(), (16, 16), **ast.literal_eval(sys.argv[2])) as plan:
    images.run(plan, images.random_values(plan.request.storage, plan.shape, plan.request.layers))
"""


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"layers": 2, "storage": "rgba16f"},
        {"storage": "buffer4"},
        {"load": "uniform float gain;\nvalue load(ivec3 at) { return gain * read_source(at); }"},
    ],
)
def test_a_renderer_finds_in_its_cache_all_that_was_compiled_elsewhere(
    ctx: moderngl.Context, cache: Path, options: dict[str, Any]
) -> None:
    if "llvmpipe" not in str(ctx.info["GL_RENDERER"]):
        pytest.skip("it is llvmpipe's cache that is looked into")

    def size() -> int:
        return sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())

    compiler = RemotePrecompiler(ctx, PrecompileJob(Device.of(ctx)))
    for spec in dict.fromkeys(compile_specs(ctx, (16, 16), **options)):
        before = size()
        compiler.begin(spec)
        until(compiler.ready)
        assert compiler._worker is not None
        assert not compiler._worker.lost
        assert size() > before, "nothing was compiled"
    # Mesa writes in a thread of its own: the end of the process is the end of that.
    assert compiler._worker is not None
    process = compiler._worker._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    process.wait(PATIENCE_SECONDS)
    compiler.release()
    before = size()
    here = str(ROOT / "tests")
    subprocess.run([sys.executable, "-c", _RUNS, here, repr(options)], check=True)
    assert size() == before


def test_a_pass_of_a_real_plan_is_compiled_elsewhere(ctx: moderngl.Context) -> None:
    worker = Worker(PrecompileJob(Device.of(ctx)))
    for spec in dict.fromkeys(compile_specs(ctx, (16, 16), real=True)):
        worker.ask(replace(spec))
        until(lambda: worker.answers() == [None] or worker.lost)
        assert not worker.lost
    worker.release()
