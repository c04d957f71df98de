"""The check of kernels tells right results from wrong ones, and leaves nothing behind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import moderngl
import pytest
from support.gl_objects import live_objects
from support.tuning import lines_of

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.kernel import kernel_pass
from glfft.algorithms.storage import STORAGES, Storage
from glfft.engine.compiled_pass import CompiledPass
from glfft.gl.context import state_of
from glfft.tuning.workbench import Workbench, tunable
from glfft.wisdom import lookup


def check(bench: Workbench, compiled: CompiledPass) -> None:
    for _ in bench.check(compiled):
        pass


def assert_fingerprints_tell(ctx: moderngl.Context, wanted: AxisRequest, kernel: KernelConfig) -> None:
    """Fail unless right kernels have the same fingerprint, and wrong ones another."""
    bench = Workbench(ctx, wanted)

    def fingerprint(spec_request: AxisRequest, cut: KernelConfig) -> Any:
        check(bench, CompiledPass(ctx, kernel_pass(spec_request, cut)))
        return bench.fingerprint()

    right = fingerprint(bench.request, choose.default(wanted))
    assert bench.same(fingerprint(bench.request, kernel), right)
    wrong = {
        "the other direction": replace(bench.request, direction=1),
        "a percent too large": replace(bench.request, scale=1.05),
        "not a number": replace(bench.request, scale=float("nan")),
    }
    for what, spec_request in wrong.items():
        if what == "not a number":
            spec = kernel_pass(bench.request, kernel)
            defines = tuple((key, "sqrt(-1.0)" if key == "SCALE" else value) for key, value in spec.defines)
            check(bench, CompiledPass(ctx, replace(spec, defines=defines)))
            assert not bench.same(bench.fingerprint(), right), what
        else:
            assert not bench.same(fingerprint(spec_request, kernel), right), what
    # The last line of each layer left out, where the right result of an earlier pass has been.
    assert bench.same(fingerprint(bench.request, kernel), right)
    spec = kernel_pass(bench.request, kernel)
    fewer = tuple((key, int(value) - 1 if key == "LINE_COUNT" else value) for key, value in spec.defines)
    fewer = tuple((key, "0" if key == "EVERY_LINE_EXISTS" else value) for key, value in fewer)
    check(bench, CompiledPass(ctx, replace(spec, defines=fewer)))
    assert not bench.same(bench.fingerprint(), right), "a line missing"
    bench.release()


@pytest.mark.parametrize("storage", STORAGES.values(), ids=lambda storage: storage.name)
def test_fingerprints_tell_right_from_wrong(ctx: moderngl.Context, storage: Storage) -> None:
    layers, axis = ((None, 1), (3, 0))[list(STORAGES).index(storage.name) % 2]
    wanted = replace(lines_of(16, storage.name, axis=axis, lines=40), layers=layers, device=state_of(ctx).device)
    assert_fingerprints_tell(ctx, wanted, KernelConfig((2, 8), 2, lines=2))


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_a_bench_leaves_nothing(ctx: moderngl.Context) -> None:
    wanted = replace(lines_of(16), device=state_of(ctx).device)
    Workbench(ctx, wanted).release()
    state_of(ctx).release_dropped()
    before = live_objects(ctx)
    Workbench(ctx, wanted).release()
    assert live_objects(ctx) == before
    Workbench(ctx, wanted)
    state_of(ctx).release_dropped()
    assert live_objects(ctx) == before


def test_both_directions_share_a_search() -> None:
    wanted = lines_of(64)
    back = replace(wanted, direction=1, scale=0.25)
    specs = [lookup.passes(each)[0] for each in (wanted, back, replace(wanted, axis=0))]
    assert tunable(specs) == [wanted.plain, replace(wanted, axis=0).plain]
