"""Ambuluri's kernels and schedules as rows of his tables, ours beside them, and the calls to be timed: one line in a
buffer, and what its twiddle factors cost.
"""

from contextlib import ExitStack
from dataclasses import dataclass

import moderngl
import numpy as np

from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.algorithms.study.word_group_passes import WordGroupConfig, in_bit_reversed_order
from glfft.algorithms.study.word_groups import WordGroups
from glfft.apps.bench.workload import read_copy
from glfft.apps.papers.measuring import Maker, Run, Skipped, check_snr
from glfft.apps.signal_to_noise import COMPUTED_LOSS_DB, floor_db, random_complex, snr_db
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.twiddles import roots
from glfft.gl.barriers import SHADER_STORAGE_BARRIER
from glfft.gl.context import state_of
from glfft.profiling.clocks import WALL_TIMER
from glfft.profiling.timing import Subject, WallCall

LENGTHS = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
QUICK_LENGTHS = (16, 64, 256, 1024)


@dataclass(frozen=True)
class Row:
    """A kernel of one of the tables, or a variant to stand beside it."""

    family: str  # the algorithm
    threads: int = 1  # how many threads a word group has
    computed: bool = False  # the twiddle factors are computed on the GPU
    twiddles: str = "shared"  # the memory of the twiddle factors, such as "shared"
    points: str = "arrays"  # where points lie between stages: in shared arrays as in the thesis, or in registers
    balanced: bool = True  # where two threads share a butterfly, both multiply
    in_order: bool = False  # results are put in order; the thesis leaves them with bits reversed
    of_twiddles: bool = False  # the row is there to compare factors from the CPU with factors from the GPU

    @property
    def config(self) -> WordGroupConfig:
        return WordGroupConfig(self.threads, self.twiddles, self.points, self.balanced)

    @property
    def name(self) -> str:
        if self.points == "registers":
            return f"{self.family}, ours in registers"
        threads = f"{self.family}, {self.threads} thread{'s' * (self.threads > 1)}"
        threads += ", unbalanced" * (not self.balanced) + ", in order" * self.in_order
        return f"{threads}, twiddles from the {'GPU' if self.computed else 'CPU'}" if self.of_twiddles else threads

    @property
    def is_of_thesis(self) -> bool:
        """Whether the row is one of the thesis's schedules that its tables compare."""
        return self.points == "arrays" and self.balanced and not self.in_order and not self.of_twiddles


# The twiddle factors of table 4.1.
FROM_CPU = Row("constant-geometry", of_twiddles=True)
FROM_GPU = Row("constant-geometry", computed=True, of_twiddles=True)

# These kernels keep the word group of a thread in registers, and put results in order.
OURS = tuple(
    Row(family, points="registers", in_order=True)
    for family in (
        *("word-group-2", "word-group-4", "word-group-8", "word-group-16"),
        *("constant-geometry", "radix-22", "radix-22-constant-geometry"),
        *("multi-group-2", "multi-group-4"),
    )
)
UNBALANCED = tuple(Row(family, 2, balanced=False) for family in ("word-group-2", "constant-geometry"))
IN_ORDER = (Row("constant-geometry", 2, in_order=True), Row("radix-22-constant-geometry", 4, in_order=True))

# The schedules of tables 5.1, 5.3, 5.5 and 5.6, and further ones. The families multi-group-2 and multi-group-4 take
# radix 2^2 at powers of four and radix 2 elsewhere.
_SCHEDULES = (
    ("word-group-2", (1, 2, 4)),
    ("word-group-4", (1, 2, 4, 8)),
    ("word-group-8", (1, 2, 4, 8, 16)),
    ("constant-geometry", (1, 2, 4)),
    ("radix-22", (4, 8)),
    ("radix-22-constant-geometry", (4, 8)),
    ("multi-group-2", (4,)),
    ("multi-group-4", (4,)),
    # The thesis has no times of these schedules, or times at some lengths only.
    ("word-group-16", (1, 4, 16)),
    ("multi-group-2", (1, 2, 8)),
    ("multi-group-4", (1, 2)),
    ("multi-group-2-radix-2", (1, 2, 4)),
    ("multi-group-4-radix-2", (1, 2)),
    # The thesis leaves these to future work.
    ("multi-group-4", (8,)),
    ("multi-group-8", (4,)),
    ("multi-group-2-in-place", (4,)),
    ("multi-group-4-in-place", (4,)),
)
ROWS = (*(Row(family, each) for family, threads in _SCHEDULES for each in threads), *OURS, *UNBALANCED, *IN_ORDER)


def names(*families: str, threads: tuple[int, ...] = ()) -> list[str]:
    """The names of the thesis's rows of some families, with some numbers of threads or with any."""
    return [
        row.name
        for row in ROWS
        if row.family in families and row.is_of_thesis and (not threads or row.threads in threads)
    ]


_BUFFER = STORAGES["buffer"]

# The rows of the factors alone, which stand beside the kernels.
COMPUTING = "factors, computed on the CPU"
TRANSFER = "factors, from the CPU to the GPU"


def factor_makers(run: Run, length: int) -> dict[str, Maker]:
    """The parts of table 4.1: the GPU's with factors from either, the CPU's work for them, and their transfer."""

    def computed(_stack: ExitStack) -> Subject:
        return WallCall(lambda: _factors(length), WALL_TIMER)

    def moved(stack: ExitStack) -> Subject:
        data = _factors(length)
        buffer = run.ctx.buffer(reserve=len(data))
        stack.callback(buffer.release)
        return run.timer.subject(lambda: buffer.write(data))

    kernels = {row.name: line_maker(run, row, length) for row in (FROM_CPU, FROM_GPU)}
    return {**kernels, COMPUTING: computed, TRANSFER: moved}


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


def line_maker(run: Run, row: Row, length: int) -> Maker:
    """A row's transform of one line in a buffer, checked once."""
    ctx = run.ctx

    def make(stack: ExitStack) -> Subject:
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

    return make
