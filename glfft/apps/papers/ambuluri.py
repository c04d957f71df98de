"""Ambuluri, Implementations of the FFT algorithm on GPU, 2012: his kernels and ours on one line, and their factors."""

import tomllib
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import moderngl
import numpy as np

from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.algorithms.study.word_groups import WordGroupConfig, WordGroups, in_bit_reversed_order
from glfft.apps.bench.cpu import bit_reversal
from glfft.apps.bench.suite import Case
from glfft.apps.bench.workload import held, read_copy
from glfft.apps.papers.chapter import Chapter, Rows, read_text
from glfft.apps.papers.claims import Grid, Measured, Point, Spread
from glfft.apps.papers.measuring import Maker, Run, check_snr
from glfft.apps.signal_to_noise import COMPUTED_LOSS_DB, floor_db, random_complex, snr_db
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.twiddles import roots
from glfft.errors import LimitError
from glfft.gl.barriers import SHADER_STORAGE_BARRIER
from glfft.gl.context import state_of
from glfft.profiling.timing import WALL_TIMER, Subject, WallCall

LENGTHS = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
QUICK_LENGTHS = (16, 64, 256, 1024)
_BUFFER = STORAGES["buffer"]


@dataclass(frozen=True)
class Row:
    """A kernel of one of the tables, or a variant to stand beside it."""

    family: str  # the algorithm
    threads: int = 1  # how many threads a word group has
    computed: bool = False  # the twiddle factors are computed on the GPU
    points: str = "arrays"  # where points lie between stages: in shared arrays as in the thesis, or in registers
    balanced: bool = True  # where two threads share a butterfly, both multiply
    in_order: bool = False  # results are put in order; the thesis leaves them with bits reversed
    of_twiddles: bool = False  # the row is there to compare factors from the CPU with factors from the GPU

    @property
    def config(self) -> WordGroupConfig:
        return WordGroupConfig(self.threads, "shared", self.points, self.balanced)

    @property
    def name(self) -> str:
        if self.points == "registers":
            return f"{self.family}, ours in registers"
        threads = f"{self.family}, {self.threads} thread{'s' * (self.threads > 1)}"
        threads += ", unbalanced" * (not self.balanced) + ", in order" * self.in_order
        return f"{threads}, twiddles from the {'GPU' if self.computed else 'CPU'}" if self.of_twiddles else threads

    @property
    def is_of_thesis(self) -> bool:
        """Whether the row is a schedule that the thesis's tables compare."""
        return self.points == "arrays" and self.balanced and not self.in_order and not self.of_twiddles


# The twiddle factors of table 4.1, and the rows of the factors alone, which stand beside the kernels.
FROM_CPU = Row("constant-geometry", of_twiddles=True)
FROM_GPU = Row("constant-geometry", computed=True, of_twiddles=True)
COMPUTING = "factors, computed on the CPU"
TRANSFER = "factors, from the CPU to the GPU"

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

_SCHEDULES = tomllib.loads(read_text("ambuluri.toml"))["schedules"]
ROWS = (*(Row(family, each) for family, threads in _SCHEDULES for each in threads), *OURS, *UNBALANCED, *IN_ORDER)


def names(*families: str, threads: tuple[int, ...] = ()) -> list[str]:
    """The names of the thesis's rows of some families, with some numbers of threads or with any."""
    kept = (row for row in ROWS if row.family in families and row.is_of_thesis)
    return [row.name for row in kept if not threads or row.threads in threads]


# Families with the threads that are enough, N in the groups below.
_ENOUGH = ((("word-group-2", "constant-geometry"), 2), (("word-group-4", "radix-22"), 4), (("word-group-8",), 8))
# The radix-2 kernels of figures 5.1 to 5.3.
_RADIX_2 = ("word-group-2", "word-group-4", "word-group-8", "constant-geometry")
_TWO_GROUPS, _FOUR_GROUPS = (names(f"multi-group-{n}", f"multi-group-{n}-radix-2") for n in (2, 4))


class Ambuluri(Chapter):
    name = "ambuluri"
    groups: ClassVar = {
        "thesis": [row.name for row in ROWS if row.is_of_thesis],
        "word groups": names("word-group-2", "word-group-4", "word-group-8", "word-group-16"),
        "word groups up to 8": names("word-group-2", "word-group-4", "word-group-8"),
        "constant geometry": names("constant-geometry"),
        "radix 2²": names("radix-22"),
        "radix 2², constant geometry": names("radix-22-constant-geometry"),
        "one thread": names(*_RADIX_2, threads=(1,)),
        "several threads": names(*_RADIX_2, threads=(2, 4, 8, 16)),
        "N threads": [row for families, n in _ENOUGH for row in names(*families, threads=(n,))],
        "2 N threads": [row for families, n in _ENOUGH for row in names(*families, threads=(2 * n,))],
        "unbalanced": [row.name for row in UNBALANCED],
        "one group": names("constant-geometry", "radix-22-constant-geometry"),
        "two groups": _TWO_GROUPS,
        "four groups": _FOUR_GROUPS,
        "several groups": [*_TWO_GROUPS, *_FOUR_GROUPS, *names("multi-group-8")],
    }

    def measure(self, run: Run) -> dict[str, Grid]:
        lengths = QUICK_LENGTHS if run.quick else LENGTHS

        def rows(length: int) -> dict[str, Maker]:
            own = {row.name: partial(line_of, run, row, length) for row in ROWS}
            return own | run.contenders(Case((1, length), axes=(1,)), run.peers)

        lines = run.time({length: rows(length) for length in lengths})
        return {"lines": lines, "factors": run.time({length: factor_makers(run, length) for length in lengths})}

    def beside_thesis(self, grid: Grid) -> Rows:
        """The times of variants over the thesis's: ours over its fastest schedule, others over their own."""
        pairs = [(row, names(row.family)) for row in OURS]
        pairs += [(row, names(row.family, threads=(row.threads,))) for row in (*UNBALANCED, *IN_ORDER)]
        found = {row.name: grid.ratios([row.name], thesis) for row, thesis in pairs}
        for groups in (2, 4):
            sides = [names(f"multi-group-{groups}{kind}", threads=(4,)) for kind in ("-in-place", "")]
            found[f"multi-group-{groups}-in-place, 4 threads, over constant geometry"] = grid.ratios(*sides)
        return found

    def in_all(self, factors: Grid) -> dict[Point, Spread]:
        """Time with factors from the CPU, which are computed and moved, over the time with factors from the GPU."""
        columns = factors.columns((FROM_CPU.name, COMPUTING, TRANSFER, FROM_GPU.name)).items()
        return {n: cpu.plus(work).plus(transfer).over(gpu) for n, (cpu, work, transfer, gpu) in columns}

    def gains(self, gains: Grid) -> dict[Point, Spread]:
        """What is left of cuFFT's time, from the per cent that the fastest kernel saves."""
        return {n: Spread.exact(1 - saved.middle / 100) for n, saved in gains.cells["saved"].items()}

    def kinds_beside_cufft(self, measured: Measured) -> Rows:
        """Each kind's fastest published kernel over cuFFT; of cuFFT's time the thesis only says what share is saved."""
        if measured["lines"].reference != "cufft":
            return {}
        shares, found = self.gains(self.published["table 5.8"]), {}
        for kind in ("word groups", "constant geometry", "radix 2², constant geometry", "several groups"):
            # Best of a kind over best of all, times best of all over cuFFT.
            ratios = self.published["lines"].ratios(self.groups[kind], self.groups["thesis"]).items()
            beside = {n: Spread.exact(ratio.middle * shares[n].middle) for n, ratio in ratios if n in shares}
            found[kind.partition(",")[0]] = beside
        return found


def factor_makers(run: Run, length: int) -> dict[str, Maker]:
    """The parts of table 4.1: the GPU's with factors from either, the CPU's work for them, and their transfer."""

    def factors() -> bytes:
        return roots(length)[: length // 2].astype(np.complex64).tobytes()

    def moved(stack: ExitStack) -> Subject:
        data = factors()
        buffer = held(stack, run.ctx.buffer(reserve=len(data)))
        return run.timer.subject(lambda: buffer.write(data))

    kernels = {row.name: partial(line_of, run, row, length) for row in (FROM_CPU, FROM_GPU)}
    return {**kernels, COMPUTING: lambda _: WallCall(factors, WALL_TIMER), TRANSFER: moved}


def _specs(ctx: moderngl.Context, row: Row, length: int) -> list[PassSpec]:
    """The passes of a row. Raises LimitError where no such kernel does lines of this length, or on this device."""
    family = registry.family_of(row.family)
    assert isinstance(family, WordGroups)
    wanted = AxisRequest((1, length), 1, -1, 1.0, row.computed, None, _BUFFER, state_of(ctx).device, row.family)
    parts = family.parts(wanted)
    reason = family.supports(wanted) or family.why_unfit(row.config, parts[-1])
    if reason is not None:
        raise LimitError(f"it would need {reason.partition(', such as')[0]}")
    first = [spec for part in parts[:-1] for spec in family.passes(part, family.default(part))]
    last = family.passes(parts[-1], row.config)
    return first + (last if row.in_order else [in_bit_reversed_order(spec) for spec in last])


def line_of(run: Run, row: Row, length: int, stack: ExitStack) -> Subject:
    """A row's transform of one line in a buffer, checked once."""
    ctx = run.ctx
    passes = [CompiledPass(ctx, spec) for spec in _specs(ctx, row, length)]
    line = random_complex((1, length))
    contents = [line.tobytes(), *(bytes(line.nbytes) for _ in passes)]
    buffers = [held(stack, ctx.buffer(each)) for each in contents]

    def transform() -> None:
        for each, source, target in zip(passes, buffers, buffers[1:], strict=False):
            each.run(source, target)
            ctx.memory_barrier(SHADER_STORAGE_BARRIER)

    transform()
    result = np.frombuffer(read_copy(ctx, buffers[-1]), np.complex64)
    exact = np.fft.fft(line[0].astype(np.complex128))
    found = snr_db(result, exact if row.in_order else exact[bit_reversal(length)])
    floor = floor_db(length, _BUFFER, len(passes)) - (COMPUTED_LOSS_DB if row.computed else 0.0)
    check_snr(f"{row.name} at {length} points", found, floor)
    return run.timer.subject(transform)
