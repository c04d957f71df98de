"""No step of a tuner compiles what was not compiled before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import moderngl
import pytest
from support.tuning import PATIENCE_SECONDS, specs, until

import glfft
from glfft.algorithms.passes import PassSpec
from glfft.engine.compiled_pass import CompiledPass
from glfft.tuning import tuner as tuner_module
from glfft.tuning import worker
from glfft.tuning.precompile import PAUSE, Precompiler, precompiled

pytestmark = pytest.mark.usefixtures("with_a_worker")


def test_released_it_ends_its_process(ctx: moderngl.Context) -> None:
    compiler = Precompiler(ctx)
    compiler._known = set()  # other tests have compiled the same pass
    pauses = compiler.pauses(specs(ctx, (4, 8))[0])
    assert next(pauses) is PAUSE
    assert compiler._worker is not None
    process = compiler._worker._process
    assert process is not None
    compiler.release()
    assert process.wait(PATIENCE_SECONDS) != 0
    assert list(pauses) == [PAUSE]


def test_without_a_worker_there_is_nothing_to_wait_for(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_interpreter", lambda: None)
    compiler = Precompiler(ctx)
    compiler._known = set()  # other tests have compiled the same pass
    (spec, *_) = specs(ctx, (4, 8))
    assert list(precompiled(compiler, spec)) == [PAUSE] * 3
    assert compiler._known == set()
    compiler.release()


class Recorder:
    """Compiles nothing ahead, and pauses twice for each pass."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ready = False

    def pauses(self, spec: PassSpec) -> Iterator[bool]:
        if spec.source.text not in self.begun:
            self.begun.append(spec.source.text)
            self.ready = False
            yield from (PAUSE, PAUSE)
            self.ready = True

    def release(self) -> None:
        pass


@pytest.mark.parametrize("load", [None, "value load(ivec3 at) { return 2.0 * read_source(at); }"])
def test_no_step_compiles_what_was_not_made_ready(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, load: str | None
) -> None:
    recorder = Recorder()
    monkeypatch.setattr(tuner_module, "is_software", lambda ctx: True)
    monkeypatch.setattr(tuner_module, "Precompiler", lambda ctx: recorder)
    compiled: list[str] = []
    compute_shader = moderngl.Context.compute_shader

    def compile_and_note(ctx: moderngl.Context, source: str) -> moderngl.ComputeShader:
        assert recorder.begun[-1] == source
        assert recorder.ready
        compiled.append(source)
        return compute_shader(ctx, source)

    dispatch = CompiledPass.dispatch

    def dispatch_what_is_ready(each: CompiledPass, *ends: Any) -> None:
        assert each.spec.source.text in recorder.begun
        dispatch(each, *ends)

    # Nothing else tunes these shapes, so that there is something left to compile.
    shape = (2, 16) if load is None else (3, 16)
    plan = glfft.Plan(ctx, shape, axes=(1,), storage="rgba32f", load=load)
    with plan, plan.background_tuner(quick=True) as tuner:
        monkeypatch.setattr(moderngl.Context, "compute_shader", compile_and_note)
        monkeypatch.setattr(CompiledPass, "dispatch", dispatch_what_is_ready)
        until(lambda: tuner.step(budget_ms=0.1))
        assert compiled
        if load is not None:
            assert any(load in text for text in compiled)
