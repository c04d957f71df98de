"""What tests of tuning share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest

import glfft
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import Choice, PassSpec
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.kernel import kernel_pass
from glfft.algorithms.storage import STORAGES, Storage
from glfft.engine.compiled_pass import CompiledPass
from glfft.gl.context import state_of
from glfft.gl.device import Device, Limits
from glfft.tuning import measure, tuner
from glfft.tuning.measure import WallPairClock
from glfft.tuning.precompile import CONTINUE
from glfft.tuning.workbench import Workbench
from support import images
from support.images import random_values
from support.tolerances import assert_close

# Far more than anything here takes: so that a fault is told instead of waited for.
PATIENCE_SECONDS = 120.0

LEAST = Limits(16384, 32768, 1024, (1024, 1024, 64), (65535, 65535, 65535), 8, 16)
MORE = replace(LEAST, shared_memory=49152)
DEVICES = {"llvmpipe (LLVM 15.0.6, 256 bits)": LEAST, "NVIDIA H200/PCIe/SSE2": MORE, "A device of 2030": MORE}


def lines_of(
    length: int, storage: str = "rg32f", renderer: str = "llvmpipe", axis: int = 1, lines: int = 64, **more: Any
) -> AxisRequest:
    shape = (lines, length) if axis == 1 else (length, lines)
    device = Device(DEVICES.get(renderer, LEAST), renderer)
    return AxisRequest(shape, axis, -1, 1.0, False, None, STORAGES[storage], device, **more)


def noise_transformed(
    ctx: moderngl.Context, spec: PassSpec, compiled: CompiledPass | None = None, seed: int = 1
) -> tuple[Any, Any]:
    """What a pass, perhaps one that is compiled, makes of noise, after the noise."""
    request = spec.request
    values = random_values(request.storage, request.shape, request.layers, seed)
    source = images.upload(ctx, values, request.storage, request.layers)
    target = images.blank(ctx, request.shape, request.storage, request.layers)
    (compiled or CompiledPass(ctx, spec)).run(source, target)
    ctx.memory_barrier()
    result = images.download(target, request.storage, request.shape, request.layers)
    images.release(source, target)
    return values, result


def config_of(choice: Choice) -> KernelConfig:
    """A kernel of the Stockham family."""
    assert isinstance(choice.config, KernelConfig)
    return choice.config


def specs_of(plan: glfft.Plan) -> list[PassSpec]:
    """The passes of a plan, those of both directions and of convolving."""
    return [each.spec for pipeline in plan._pipelines.values() for each in pipeline.passes]


def radices_of(plan: glfft.Plan) -> set[tuple[int, ...]]:
    return {spec.radices for spec in specs_of(plan)}


def specs(ctx: moderngl.Context, shape: tuple[int, int], **options: Any) -> list[PassSpec]:
    """The passes of a plan, each once."""
    with glfft.Plan(ctx, shape, **options) as plan:
        return list(dict.fromkeys(specs_of(plan)))


def assert_transforms(plan: glfft.Plan) -> None:
    values = random_values(plan.request.storage, plan.shape, plan.request.layers)
    assert_close(images.run(plan, values), np.fft.fft2(values.astype(np.complex128)))


def favour(monkeypatch: pytest.MonkeyPatch, radices: tuple[int, ...]) -> None:
    """Let kernels of these radices take 4 us and all others 8, whatever the clock says."""
    favour_passes(monkeypatch, lambda spec: spec.radices == radices)


def favour_passes(monkeypatch: pytest.MonkeyPatch, favoured: Callable[[PassSpec], bool]) -> None:
    """Let some passes take 4 us and all others 8, whatever the device and the clock say."""
    ran: list[PassSpec] = []
    run = Workbench.run

    def run_and_note(bench: Workbench, compiled: CompiledPass) -> None:
        ran.append(compiled.spec)
        run(bench, compiled)

    def timed(clock: WallPairClock, call: Callable[[], None], leads_in: bool) -> Iterator[bool]:
        call()
        yield CONTINUE
        return 4.0 if favoured(ran[-1]) else 8.0

    monkeypatch.setattr(Workbench, "run", run_and_note)
    # A GPU would be timed by its own clock, and in another process while a program runs.
    for module in (measure, tuner):
        monkeypatch.setattr(module, "is_software", lambda ctx: True)
    monkeypatch.setattr(WallPairClock, "_timed", timed)


class PretendGpu:
    """A GPU that works through its queue only between steps, and a clock that only its work moves.

    It stands in for the queue of a context; the kernels themselves run as ever, so that their results can be checked.
    """

    def __init__(self, microseconds: Callable[[tuple[int, ...]], float], busy_needed: float = 0.0) -> None:
        self.microseconds = microseconds
        self.busy_needed = busy_needed
        self.clock = 0.0
        self.steps = 0
        self.busy_in_step = 0.0
        self.calls_in_step = 0
        self.full = False
        self.released = False

    def __call__(self, ctx: moderngl.Context) -> PretendGpu:
        return self

    def keep_busy(self, seconds: float) -> None:
        self.busy_in_step += seconds
        self.full = seconds >= self.busy_needed

    def call(self, radices: tuple[int, ...]) -> None:
        self.clock += self.microseconds(radices)
        self.calls_in_step += 1

    def stamp(self) -> Any:
        return self.clock, self.steps if self.full else -1

    def passed(self, stamp: Any) -> bool:
        return self.steps > stamp[1] + 1

    def microseconds_between(self, first: Any, second: Any) -> float:
        assert self.passed(first), "that would wait"
        assert self.passed(second), "that would wait"
        return second[0] - first[0]

    def release(self) -> None:
        self.released = True


def until(done: Callable[[], object]) -> None:
    """Ask again and again, and give way to other processes in between."""
    end = time.perf_counter() + PATIENCE_SECONDS
    while not done():
        assert time.perf_counter() < end, "it does not end"
        time.sleep(1e-3)


class CompilesNothing:
    """In a precompiler's place: passes are compiled where they are needed."""

    def __init__(self, ctx: moderngl.Context) -> None:
        pass

    def pauses(self, spec: PassSpec) -> Iterator[bool]:
        return iter(())

    def release(self) -> None:
        pass


def assert_fingerprints_tell(ctx: moderngl.Context, storage: Storage) -> None:
    """Fail unless right kernels have the same fingerprint, and wrong ones another: a little wrong, and one way more.

    What is not a number and what is left out is as wrong in every storage: each way in turn is enough.
    """
    number = list(STORAGES).index(storage.name)
    layers, axis = ((None, 1), (3, 0))[number % 2]
    wanted = replace(lines_of(16, storage.name, axis=axis, lines=40), layers=layers, device=state_of(ctx).device)
    kernel, way = KernelConfig((2, 8), 2, lines=2), number % 3
    bench = Workbench(ctx, wanted)

    def check(compiled: CompiledPass) -> None:
        for _ in bench.check(compiled):
            pass

    def fingerprint(spec_request: AxisRequest, cut: KernelConfig) -> Any:
        check(CompiledPass(ctx, kernel_pass(spec_request, cut)))
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
    check(CompiledPass(ctx, replace(spec, defines=changed)))
    assert not bench.same(bench.fingerprint(), right), what
    bench.release()
