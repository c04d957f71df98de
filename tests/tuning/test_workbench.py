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


def assert_fingerprints_tell(ctx: moderngl.Context, wanted: AxisRequest, kernel: KernelConfig, way: int) -> None:
    """Fail unless right kernels have the same fingerprint, and wrong ones another: a little wrong, and one way more.

    What is not a number and what is left out is as wrong in every storage: each way in turn is enough.
    """
    bench = Workbench(ctx, wanted)

    def fingerprint(spec_request: AxisRequest, cut: KernelConfig) -> Any:
        check(bench, CompiledPass(ctx, kernel_pass(spec_request, cut)))
        return bench.fingerprint()

    right = fingerprint(bench.request, choose.default(wanted))
    assert bench.same(fingerprint(bench.request, kernel), right)
    assert not bench.same(fingerprint(replace(bench.request, scale=1.05), kernel), right), "a little too large"
    # Where the right result of an earlier pass has been.
    assert bench.same(fingerprint(bench.request, kernel), right)
    spec = kernel_pass(bench.request, kernel)
    lines = int(dict(spec.defines)["LINE_COUNT"])
    what, changes = (
        ("the other direction", dict(kernel_pass(replace(bench.request, direction=1), kernel).defines)),
        ("not a number", {"SCALE": "sqrt(-1.0)"}),
        ("the last line of each layer missing", {"LINE_COUNT": lines - 1, "EVERY_LINE_EXISTS": "0"}),
    )[way]
    changed = tuple((key, changes.get(key, value)) for key, value in spec.defines)
    assert changed != spec.defines
    check(bench, CompiledPass(ctx, replace(spec, defines=changed)))
    assert not bench.same(bench.fingerprint(), right), what
    bench.release()


@pytest.mark.parametrize("storage", STORAGES.values(), ids=lambda storage: storage.name)
def test_fingerprints_tell_right_from_wrong(ctx: moderngl.Context, storage: Storage) -> None:
    number = list(STORAGES).index(storage.name)
    layers, axis = ((None, 1), (3, 0))[number % 2]
    wanted = replace(lines_of(16, storage.name, axis=axis, lines=40), layers=layers, device=state_of(ctx).device)
    assert_fingerprints_tell(ctx, wanted, KernelConfig((2, 8), 2, lines=2), number % 3)


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
