"""Tuning at once: the plan takes the fastest right kernel at the end, or stays as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
import pytest
from support import images as carriers
from support.gl_objects import live_objects
from support.images import random_values
from support.tolerances import assert_close
from support.tuning import assert_transforms, favour, radices_of

import glfft
from glfft.algorithms.stockham.kernel import Kernel, kernel_pass
from glfft.engine.compiled_pass import Pass
from glfft.errors import ReleasedError, ShaderError, TextureError
from glfft.gl.context import driver_of
from glfft.tuning.workbench import Workbench
from glfft.wisdom import store


def test_a_tuned_plan_runs_the_fastest_and_so_do_plans_to_come(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    favour(monkeypatch, (4, 2))
    shares: list[float] = []
    with glfft.Plan(ctx, (8, 8)) as plan:
        assert radices_of(plan) == {(8,)}
        report = plan.tune(shares.append, quick=True)
        assert radices_of(plan) == {(4, 2)}
        assert_transforms(plan)
        assert "rows: tuned on this device: 4 us a pass of 64 points of rg32f" in plan.explain()
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert [(each.before.radices, each.after.radices, each.ratio) for each in report.passes] == [
        ((8,), (4, 2), 2.0)
    ] * 2
    assert "8 columns of 8" in report.to_text()
    assert "4x2" in str(report)
    with glfft.Plan(ctx, (8, 8)) as another:
        assert radices_of(another) == {(4, 2)}
    entries = json.loads(file.read_text())["entries"]
    assert {entry["axis"] for entry in entries} == {0, 1}
    assert {(entry["renderer"], entry["driver"]) for entry in entries} == {(ctx.info["GL_RENDERER"], driver_of(ctx))}


def test_tuning_by_the_clock_leaves_a_plan_that_transforms(ctx: moderngl.Context, file: Path) -> None:
    for layers, storage in ((None, "rg32f"), (2, "buffer")):
        with glfft.Plan(ctx, (4, 16), layers=layers, storage=storage) as plan:
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
        assert (found.before.radices, found.after.radices) == ((2, 4), (4, 2))


@pytest.mark.parametrize("stop", [KeyboardInterrupt, glfft.GlfftError])
@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_a_tuning_that_does_not_end_changes_nothing(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, file: Path, stop: type[BaseException]
) -> None:
    favour(monkeypatch, (4, 2))

    def progress(share: float) -> None:
        if share > 0.6:
            raise stop

    with glfft.Plan(ctx, (8, 8)) as plan:
        before = dict(plan._ways)
        live = None
        for _ in range(2):
            with pytest.raises(stop):
                plan.tune(progress, quick=True)
            assert plan._ways == before
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

    def sabotaged(bench: Workbench, kernel: Kernel) -> Pass:
        if kernel.radices == (2, 4):
            raise ShaderError("refused")
        if kernel.radices == (4, 2):
            return Pass(bench._ctx, kernel_pass(replace(bench.request, direction=1), kernel))
        return compile_kernel(bench, kernel)

    monkeypatch.setattr(Workbench, "compile", sabotaged)
    with glfft.Plan(ctx, (1, 8)) as plan:
        with pytest.warns(UserWarning, match=r"another result.*4x2"):
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
    with glfft.Plan(ctx, (8, 8), store=store) as plan:
        plan.set(factor=3.0, weights=texture)
        plan.tune(quick=True)
        live = live_objects(ctx)
        plan.tune(quick=True)
        assert radices_of(plan) == {(4, 2)}
        values = random_values(plan.request.storage, plan.shape, None)
        assert_close(carriers.run(plan, values), 3.0 * weights * np.fft.fft2(values.astype(np.complex128)))
        plan.set(factor=1.0)
        assert_close(carriers.run(plan, values), weights * np.fft.fft2(values.astype(np.complex128)))
        assert live_objects(ctx) == live
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
    with glfft.Plan(ctx, (8, 8), load=load) as plan:
        plan.set(weights=texture)
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
