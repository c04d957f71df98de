"""Ambuluri's kernels as calls to be timed: one line in a buffer, and what its twiddle factors cost."""

from __future__ import annotations

from contextlib import ExitStack

import moderngl
import numpy as np

from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.algorithms.study.word_group_passes import in_bit_reversed_order
from glfft.algorithms.study.word_groups import WordGroups
from glfft.apps.bench.image_pairs import read_copy
from glfft.apps.papers.ambuluri_rows import FROM_CPU, FROM_GPU, Row
from glfft.apps.papers.measuring import Maker, Run, Skipped, check_snr
from glfft.apps.signal_to_noise import COMPUTED_LOSS_DB, floor_db, random_complex, snr_db
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.twiddles import roots
from glfft.gl.barriers import SHADER_STORAGE_BARRIER
from glfft.gl.context import state_of
from glfft.profiling.profiler import WALL_TIMER
from glfft.profiling.timing import Subject, WallCall

_BUFFER = STORAGES["buffer"]

# The rows of the factors alone, which stand beside the kernels.
COMPUTING = "factors, computed on the CPU"
TRANSFER = "factors, from the CPU to the GPU"


def line_maker(run: Run, row: Row, length: int) -> Maker:
    """A row's transform of one line."""
    return lambda stack: _transform(run, row, length, stack)


def factor_makers(run: Run, length: int) -> dict[str, Maker]:
    """The parts of table 4.1: the GPU's with factors from either, the CPU's work for them, and their transfer."""

    def computed(_stack: ExitStack) -> Subject:
        return WallCall(lambda: _factors(length), WALL_TIMER)

    def moved(stack: ExitStack) -> Subject:
        data = _factors(length)
        buffer = run.ctx.buffer(reserve=len(data))
        stack.callback(buffer.release)
        return run.timer.subject(lambda: buffer.write(data))

    return {row.name: line_maker(run, row, length) for row in (FROM_CPU, FROM_GPU)} | {
        COMPUTING: computed,
        TRANSFER: moved,
    }


def _factors(length: int) -> bytes:
    """The factors of a line of radix 2, as numpy computes them."""
    return roots(length)[: length // 2].astype(np.complex64).tobytes()


def _specs(ctx: moderngl.Context, row: Row, length: int) -> list[PassSpec]:
    """The passes of a row. Raises Skipped where there is no such kernel for lines of this length, or not on this
    device.
    """
    family = registry.family_of(row.family)
    assert isinstance(family, WordGroups)
    device = state_of(ctx).device
    wanted = AxisRequest((1, length), 1, -1, 1.0, row.computed, None, _BUFFER, device, row.family)
    parts = family.parts(wanted)
    reason = family.supports(wanted) or family.why_unfit(row.config, parts[-1])
    if reason is not None:
        raise Skipped(f"it would need {reason.partition(', such as')[0]}")
    first = [spec for part in parts[:-1] for spec in family.passes(part, family.default(part))]
    last = family.passes(parts[-1], row.config)
    return first + (last if row.in_order else [in_bit_reversed_order(spec) for spec in last])


def _expected(line: np.typing.NDArray[np.complex64], in_order: bool) -> np.typing.NDArray[np.complex128]:
    exact = np.fft.fft(line.astype(np.complex128))
    if in_order:
        return exact
    bits = len(line).bit_length() - 1
    return exact[[int(f"{k:0{bits}b}"[::-1], 2) for k in range(len(line))]]


def _transform(run: Run, row: Row, length: int, stack: ExitStack) -> Subject:
    """A row's transform of one line in a buffer, checked once."""
    ctx = run.ctx
    specs = _specs(ctx, row, length)
    passes = [CompiledPass(ctx, spec) for spec in specs]
    line = random_complex((1, length))
    buffers = [ctx.buffer(line.tobytes()), *(ctx.buffer(reserve=line.nbytes) for _ in passes)]
    for buffer in buffers:
        stack.callback(buffer.release)

    def transform() -> None:
        for each, source, target in zip(passes, buffers, buffers[1:], strict=False):
            each.run(source, target)
            ctx.memory_barrier(SHADER_STORAGE_BARRIER)

    transform()
    result = np.frombuffer(read_copy(ctx, buffers[-1]), np.complex64)
    floor = floor_db(length, _BUFFER, len(specs)) - (COMPUTED_LOSS_DB if row.computed else 0.0)
    check_snr(f"{row.name} at {length} points", snr_db(result, _expected(line[0], row.in_order)), floor)
    return run.timer.subject(transform)
