"""Ambuluri, Implementations of the FFT algorithm on GPU, 2012: what he published, and our kernels for it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

import moderngl
import numpy as np

from glfft.accuracy import floor_db, random_complex, snr_db
from glfft.algorithms import registry
from glfft.algorithms.lengths import log2
from glfft.algorithms.passes import AxisRequest
from glfft.algorithms.storage import STORAGES
from glfft.algorithms.word_groups import WordGroupConfig
from glfft.bench.cases import Case
from glfft.engine.compiled_pass import CompiledPass
from glfft.errors import AccuracyError
from glfft.gl.barriers import SHADER_STORAGE_BARRIER
from glfft.gl.context import state_of
from glfft.papers.chapter import FASTER, SLOWER, Chapter, Conclusion, Figure, Measured, Table
from glfft.papers.grid import Grid, Point, Spread
from glfft.papers.published import AMBULURI, Numbers
from glfft.papers.run import Maker, Run, Skipped
from glfft.tuning.timing import ContextTimer, Subject

_BUFFER = STORAGES["buffer"]

# Factors that drivers compute are about 1e-6 off.
_COMPUTED_LOSS_DB = 30.0

LENGTHS = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
QUICK_LENGTHS = (16, 64, 256, 1024)

# Of the lengths from 16 on; None where the thesis has no time.
Times = tuple[float | None, ...]


@dataclass(frozen=True)
class Row:
    """A row of one of the tables.

    Attributes:
        family: the algorithm.
        threads: of a word group.
        published: microseconds on a GeForce GTX 560 (CUDA), by length; empty for the rows about twiddle factors.
        computed: the twiddle factors are computed on the GPU.
        twiddles: where they lie.
        lines: of the published times in the text. Of two, the first has the lengths that are no powers of four.
    """

    family: str
    threads: int
    published: Times = ()
    computed: bool = False
    twiddles: str = "shared"
    lines: tuple[int, ...] = ()

    @property
    def config(self) -> WordGroupConfig:
        """The kernel."""
        return WordGroupConfig(self.threads, self.twiddles)

    @property
    def name(self) -> str:
        """What reports call it."""
        threads = f"{self.family}, {self.threads} thread{'s' * (self.threads > 1)}"
        return f"{threads}, twiddles from the {'GPU' if self.computed else 'CPU'}" if self.is_of_twiddles else threads

    @property
    def is_of_twiddles(self) -> bool:
        """Whether it is there to compare where the factors are computed."""
        return self.published == ()

    @property
    def published_at(self) -> dict[Point, float]:
        """Microseconds by length, where the thesis has them."""
        return {length: time for length, time in zip(LENGTHS, self.published, strict=False) if time is not None}

    @property
    def numbers(self) -> list[Numbers]:
        """The published times with their places."""
        found: dict[int, list[float]] = {}
        for length, time in self.published_at.items():
            found.setdefault(self.lines[0 if log2(length) % 2 else -1], []).append(time)
        return [Numbers(AMBULURI.line(line), tuple(times)) for line, times in found.items()]


def _fours(*times: float) -> Times:
    return tuple(each for time in times for each in (time, None))[: len(LENGTHS)]


def _odd(*times: float) -> Times:
    """Of the lengths that are no powers of four."""
    return tuple(each for time in times for each in (None, time))


_NONE: Times = (None,)

# The twiddle factors of table 4.1.
FROM_CPU = Row("constant-geometry", 1)
FROM_GPU = Row("constant-geometry", 1, computed=True)

# Tables 5.1, 5.3, 5.5 and 5.6. The groups of 4 and 8 words have no times where a line is no whole number of epochs.
ROWS = (
    Row("word-group-2", 1, (6.58, 8.1, 12.06, 13.44, 14.98, 17.41, 23.78, 43.2), lines=(1333,)),
    Row("word-group-2", 2, (6.05, 7.52, 8.45, 9.66, 11.23, 14.18, 26.72), lines=(1334,)),
    Row("word-group-2", 4, (6.08, 6.43, 7.17, 8.67, 10.7, 19.01), lines=(1335,)),
    Row("word-group-4", 1, _fours(6.62, 14.91, 27.97, 34.46), lines=(1336,)),
    Row("word-group-4", 2, _fours(4.99, 10.21, 12.80, 19.94), lines=(1337,)),
    Row("word-group-4", 4, _fours(5.02, 8.0, 11.46), lines=(1338,)),
    Row("word-group-4", 8, _fours(4.7, 6.99, 10.43), lines=(1339,)),
    Row("word-group-8", 1, (None, None, 24.42, None, None, 86.56), lines=(1340,)),
    Row("word-group-8", 2, (None, None, 13.47, None, None, 26.53), lines=(1341,)),
    Row("word-group-8", 4, (None, None, 9.92, None, None, 15.33), lines=(1342,)),
    Row("word-group-8", 8, (None, None, 7.74, None, None, 14.59), lines=(1343,)),
    Row("word-group-8", 16, (None, None, 6.75), lines=(1344,)),
    Row("constant-geometry", 1, (4.7, 5.76, 7.39, 8.19, 9.04, 10.4, 14.34, 25.18), lines=(1345,)),
    Row("constant-geometry", 2, (4.61, 5.6, 6.2, 6.91, 7.84, 9.95, 17.66), lines=(1346,)),
    Row("constant-geometry", 4, (5.53, 5.4, 5.9, 6.82, 8.78, 12.96), lines=(1347,)),
    Row("radix-22", 4, _fours(4.19, 5.82, 8.42, 22.98), lines=(1399,)),
    Row("radix-22", 8, _fours(4.0, 5.38, 9.15), lines=(1400,)),
    Row("radix-22-constant-geometry", 4, _fours(3.55, 4.22, 5.12, 11.1), lines=(1401,)),
    Row("radix-22-constant-geometry", 8, _fours(3.55, 3.9, 5.79), lines=(1402,)),
    # These families take radix 2^2 at powers of four, where the times are of that, and radix 2 elsewhere. Those of
    # radix 2 at powers of four are below.
    Row("multi-group-2", 4, (4.35, 5.22, 5.25, 5.88, 5.426, 8.06, 9.24), lines=(1445, 1447)),
    Row("multi-group-4", 4, (5.7, None, 6.5, None, 7.4, None, 9.2, None, 20.7), lines=(1475,)),
    # Schedules that the thesis has no times for, or some.
    *(Row("word-group-16", threads, _NONE) for threads in (1, 4, 16)),
    *(Row(family, threads, _NONE) for family in ("radix-22", "radix-22-constant-geometry") for threads in (1, 2)),
    Row("multi-group-2", 1, _odd(6.36, 10.88, 13.5, 21.47), lines=(1443,)),
    Row("multi-group-2", 2, _odd(5.79, 7.80, 9.88, 21.73), lines=(1444,)),
    Row("multi-group-2", 8, _fours(4.29, 4.8, 5.2, 11.616), lines=(1448,)),
    Row("multi-group-4", 1, _odd(7.86, 10.5, 14.1, 19.2), lines=(1472,)),
    Row("multi-group-4", 2, _odd(6.2, 9.09, 10.69, 15.3), lines=(1473,)),
    Row("multi-group-2-radix-2", 1, _fours(5.88, 7.90, 12.9, 16.48, 37.31), lines=(1443,)),
    Row("multi-group-2-radix-2", 2, _fours(5.6, 7.23, 8.60, 12.74), lines=(1444,)),
    Row("multi-group-2-radix-2", 4, _fours(5.18, 5.69, 7.26, 14.05), lines=(1445,)),
    Row("multi-group-4-radix-2", 1, _fours(5.94, 8.79, 13.23, 15.7, 24.7), lines=(1472,)),
    Row("multi-group-4-radix-2", 2, _fours(5.6, 6.62, 9.73, 12.13, 25.82), lines=(1473,)),
    Row("multi-group-8", 1, _NONE),
    FROM_CPU,
    FROM_GPU,
)

# Table 4.1: microseconds of a transform of 16 points. The first total is 2 more than its parts add up to.
TABLE_4_1 = {
    "factors from the CPU": {"GPU": 6.624, "CPU": 17.0, "transfer": 1.0, "total": 26.624},
    "factors from the GPU": {"GPU": 7.8, "CPU": 12.0, "total": 19.8},
}

# Table 5.8: per cent of cuFFT's time that the best of all kernels saves.
GAINS = {16: 35.12, 32: 10.87, 64: 26.41, 128: 27.08, 256: 34.42, 512: 2.75, 1024: 0.52}

NUMBERS = (
    *(each for row in ROWS for each in row.numbers),
    Numbers(AMBULURI.line(1100), tuple(TABLE_4_1["factors from the GPU"].values())),
    Numbers(AMBULURI.line(1101), tuple(TABLE_4_1["factors from the CPU"].values())),
    *(Numbers(AMBULURI.line(1529 + place), gain) for place, gain in enumerate(GAINS.items())),
)


class Ambuluri(Chapter):
    """One line at a time, as in the thesis."""

    name = "ambuluri"
    title = "Ambuluri, Implementations of the FFT algorithm on GPU (2012)"
    measures = (
        "One transform of one line in a buffer, by every kernel and schedule of the thesis. Ours put the results in "
        "order; the thesis's leave them with bits reversed."
    )
    published_on = "GeForce GTX 560, CUDA"
    numbers = NUMBERS

    def measure(self, run: Run) -> dict[str, Grid]:
        points = {length: _makers(run, length) for length in (QUICK_LENGTHS if run.quick else LENGTHS)}
        return {"lines": run.time(points)}

    def tables(self, measured: Measured) -> list[Table]:
        grid = measured["lines"]
        published = {row.name: row.published_at for row in ROWS if row.published_at}
        return [
            Table(
                "Published", f"Microseconds on a {self.published_on} (tables 5.1, 5.3, 5.5, 5.6).", "length", published
            ),
            Table(
                "Table 4.1, published",
                "Microseconds of a transform of 16 points. The thesis calls the GPU's time alone a gain; the total is "
                "longer with factors from the CPU.",
                "part",
                TABLE_4_1,
            ),
            Table(
                "Table 5.8, published",
                "Per cent of cuFFT's time that the fastest of all kernels saves.",
                "length",
                {"saved": dict(GAINS)},
            ),
            Table(
                "Here",
                f"Times as multiples of those of {grid.reference_name} on the same machine.",
                "length",
                grid.relative(grid.reference),
            ),
        ]

    def conclusions(self, measured: Measured) -> list[Conclusion]:
        grid = measured["lines"]
        return [*_of_one_group(grid), *_of_several_groups(grid), *_of_factors(grid), _beside_cufft(grid)]

    def figures(self, measured: Measured) -> list[Figure]:
        grid = measured["lines"]
        reference = grid.reference or ""
        # The thesis compares with cuFFT; its times are not published, but what the best kernels save of them is.
        cufft = {n: best / (1 - GAINS[n] / 100) for n in GAINS for best in [_best(ROWS, n)] if best is not None}
        published = {
            kind: {n: best / cufft[n] for n in cufft for best in [_best(rows, n)] if best is not None}
            for kind, rows in _KINDS.items()
        }
        here = {kind: grid.ratios(_names(rows), [reference]) for kind, rows in _KINDS.items()}
        return [
            Figure(
                f"The fastest of each kind beside {grid.reference_name}",
                f"time / {grid.reference_name}'s",
                published if reference == "cufft" else {},
                here,
            )
        ]


# Of a time.
_NO_DIFFERENCE = 0.05


def _names(rows: Iterable[Row]) -> list[str]:
    return [row.name for row in rows]


def _rows(*families: str, threads: tuple[int, ...] = ()) -> tuple[Row, ...]:
    return tuple(
        row
        for row in ROWS
        if row.family in families and not row.is_of_twiddles and (not threads or row.threads in threads)
    )


_ONE_GROUP = _rows("constant-geometry", "radix-22-constant-geometry")
_TWO_GROUPS = _rows("multi-group-2", "multi-group-2-radix-2")
_FOUR_GROUPS = _rows("multi-group-4", "multi-group-4-radix-2")
_SEVERAL = (*_TWO_GROUPS, *_FOUR_GROUPS, *_rows("multi-group-8"))

# Schedules with N threads and with 2 N.
_TWO, _FOUR, _EIGHT = ("word-group-2", "constant-geometry"), ("word-group-4", "radix-22"), ("word-group-8",)
ENOUGH = _rows(*_TWO, threads=(2,)) + _rows(*_FOUR, threads=(4,)) + _rows(*_EIGHT, threads=(8,))
MORE = _rows(*_TWO, threads=(4,)) + _rows(*_FOUR, threads=(8,)) + _rows(*_EIGHT, threads=(16,))

# The radix-2 kernels of figures 5.1 to 5.3, by whether a word group has one thread; and the lengths of the figures.
_RADIX_2 = ("word-group-2", "word-group-4", "word-group-8", "constant-geometry")
_ONE_THREAD = _rows(*_RADIX_2, threads=(1,))
_MORE_THREADS = _rows(*_RADIX_2, threads=(2, 4, 8, 16))
_LENGTHS_OF_FIGURES = (64, 256, 512)

# Kinds of kernels, for a plot.
_KINDS = {
    "word groups": _rows("word-group-2", "word-group-4", "word-group-8", "word-group-16"),
    "constant geometry": _rows("constant-geometry"),
    "radix 2²": _rows("radix-22-constant-geometry"),
    "several groups": _SEVERAL,
}


def _best(rows: Iterable[Row], length: int) -> float | None:
    """The least time that the thesis has of some rows."""
    best = PUBLISHED.best(_names(rows), length)
    return None if best is None else best.middle


def _of_one_group(grid: Grid) -> list[Conclusion]:
    """Section 5.3.1."""
    constant = partial(_rows, "constant-geometry")
    return [
        _compared(
            grid,
            '"The performance of the constant geometry is the best" among the radix-2 kernels (5.3.1).',
            "constant geometry / word groups",
            constant(),
            _rows("word-group-2", "word-group-4", "word-group-8"),
            line=1379,
        ),
        _compared(
            grid,
            '"The performance is getting better as the number of the threads increases" (5.3.1).',
            "several threads a word group / one, radix 2",
            _MORE_THREADS,
            _ONE_THREAD,
            lengths=_LENGTHS_OF_FIGURES,
            line=1380,
        ),
        _compared(
            grid,
            '"The performance does not increase with higher number of threads, specifically after nT = N" (5.3.1).',
            "2 N threads / N threads",
            MORE,
            ENOUGH,
            range=(1 - _NO_DIFFERENCE, SLOWER[1]),
            remark=f"Less than {_NO_DIFFERENCE:.0%} counts as no increase.",
            line=1381,
        ),
        _compared(
            grid,
            '"As the larger the size of FFT, the performance is better with lesser number of threads" (5.3.1).',
            "one thread a word group / several, constant geometry",
            constant(threads=(1,)),
            constant(threads=(2, 4)),
            lengths=LENGTHS[-3:],
            remark="It is about constant geometry. The lengths are the largest.",
            line=1391,
        ),
        _compared(
            grid,
            'With N threads the performance "is better than others up to the size of FFT, N = 512" (5.3.1).',
            "two threads a word group / one or four, constant geometry",
            constant(threads=(2,)),
            constant(threads=(1, 4)),
            lengths=LENGTHS[:6],
            remark="It is about constant geometry. In the thesis's own table it is not so at 32, 64 and 128.",
            line=1392,
        ),
        _compared(
            grid,
            'Of radix 2², "the performance with the case CG is better than the case without CG" (5.3.1).',
            "radix 2² in constant geometry / without",
            _rows("radix-22-constant-geometry"),
            _rows("radix-22"),
            line=1395,
        ),
        _compared(
            grid,
            'Radix 2² is "better than radix-2" (5.3.1).',
            "radix 2² / radix 2",
            _rows("radix-22-constant-geometry"),
            constant(),
            line=1416,
        ),
    ]


def _of_several_groups(grid: Grid) -> list[Conclusion]:
    """Section 5.3.3."""
    return [
        _compared(
            grid,
            '"As the smaller the sizes of FFT, the performance is the better in one SM and two SMs than that of four '
            'SMs" (5.3.3).',
            "four work groups / one or two",
            _FOUR_GROUPS,
            (*_ONE_GROUP, *_TWO_GROUPS),
            range=SLOWER,
            lengths=LENGTHS[:3],
            line=1491,
        ),
        _compared(
            grid,
            '"As the larger the size of the FFT, the better the performance in the higher number of SMs" (5.3.3).',
            "two or four work groups / one",
            (*_TWO_GROUPS, *_FOUR_GROUPS),
            _ONE_GROUP,
            lengths=LENGTHS[-3:],
            line=1492,
        ),
    ]


def _of_factors(grid: Grid) -> list[Conclusion]:
    """Section 4.6."""
    cpu, gpu = (TABLE_4_1[f"factors from the {which}"] for which in ("CPU", "GPU"))
    return [
        Conclusion(
            'Twiddle factors: "calculating them in the CPU, and storing in the shared memory leads to gain in the '
            'performance of the GPU code" (4.6).',
            "factors from the CPU / from the GPU, time of the GPU",
            {16: cpu["GPU"] / gpu["GPU"]},
            grid.ratios([FROM_CPU.name], [FROM_GPU.name]),
            places=(AMBULURI.line(1047), AMBULURI.lines(1099, 1101)),
        ),
        Conclusion(
            '"However, this makes the performance loss of the CPU code" (4.6): in all it takes longer (table 4.1).',
            "factors from the CPU / from the GPU, with the CPU and the transfer",
            {16: cpu["total"] / gpu["total"]},
            range=SLOWER,
            reason="Only the GPU's part is timed here: a plan computes a table of factors once and keeps it.",
            places=(AMBULURI.lines(1047, 1049), AMBULURI.lines(1099, 1101)),
        ),
    ]


def _beside_cufft(grid: Grid) -> Conclusion:
    return Conclusion(
        '"Our performance is better than CUFFT performance, from the size of FFT, 16 to 1024" (5.3.3).',
        "the fastest kernel / cuFFT",
        {length: 1 - gain / 100 for length, gain in GAINS.items()},
        {n: value for n, value in grid.ratios(_names(ROWS), ["cufft"]).items() if n in GAINS},
        reason="It takes cuFFT, and there is none here.",
        places=(AMBULURI.line(1510),),
        proxy="Ours put the results in order, as cuFFT does; the thesis's leave that to future work.",
    )


# What figures 5.1 to 5.3 are of.
_FIGURES = AMBULURI.line(1377)


def _compared(
    grid: Grid,
    claim: str,
    ratio: str,
    over: Iterable[Row],
    under: Iterable[Row],
    lengths: Iterable[int] = LENGTHS,
    range: tuple[float, float] = FASTER,
    remark: str = "",
    *,
    line: int,
    proxy: str = "",
) -> Conclusion:
    """A claim about the fastest of some rows against the fastest of others, at some lengths, and its line."""
    sides, lengths = (_names(over), _names(under)), set(lengths)
    published = {length: each.middle for length, each in PUBLISHED.ratios(*sides).items() if length in lengths}
    here = {length: each for length, each in grid.ratios(*sides).items() if length in lengths}
    places = (AMBULURI.line(line), _FIGURES)
    return Conclusion(claim, ratio, published, here, range, remark=remark, places=places, proxy=proxy)


def _published() -> Grid:
    return Grid({(row.name, n): Spread(time, time, time) for row in ROWS for n, time in row.published_at.items()})


PUBLISHED = _published()


def _makers(run: Run, length: int) -> dict[str, Maker]:
    def maker(row: Row) -> Maker:
        return lambda stack: _transform(run.ctx, run.timer, row, length, stack)

    return {row.name: maker(row) for row in ROWS} | run.libraries(Case((1, length), axes=(1,)))


def _transform(ctx: moderngl.Context, timer: ContextTimer, row: Row, length: int, stack: ExitStack) -> Subject:
    """A row's transform of one line in a buffer, checked once."""
    family = registry.family_of(row.family)
    device = state_of(ctx).device
    wanted = AxisRequest((1, length), 1, -1, 1.0, row.computed, None, _BUFFER, device, row.family)
    reason = family.supports(wanted)
    if reason is not None:
        raise Skipped(f"it would need {reason.partition(', such as')[0]}")
    parts = family.parts(wanted)
    (spec,) = family.passes(parts[-1], family.default(parts[-1]))
    words = int(dict(spec.defines)["WORDS"])
    if row.threads > 2 * words:
        raise Skipped(f"it would need groups of more than {words} words")
    if not family.fits(row.config, parts[-1]):
        raise Skipped("it would need more shared memory than the device has")
    configs = [*(family.default(part) for part in parts[:-1]), row.config]
    specs = [spec for part, config in zip(parts, configs, strict=True) for spec in family.passes(part, config)]
    if specs[-1].threads < parts[-1].length // words * row.threads:
        raise Skipped("it would need more threads than a work group has here")
    passes = [CompiledPass(ctx, spec) for spec in specs]
    line = random_complex((1, length))
    buffers = [ctx.buffer(line.tobytes()), *(ctx.buffer(reserve=line.nbytes) for _ in passes)]
    for buffer in buffers:
        stack.callback(buffer.release)

    def run() -> None:
        for each, source, target in zip(passes, buffers, buffers[1:], strict=False):
            each.run(source, target)
            ctx.memory_barrier(SHADER_STORAGE_BARRIER)

    run()
    # Some drivers move a buffer that is read to the host's memory, where it stays and is slow.
    copy = ctx.buffer(reserve=line.nbytes)
    stack.callback(copy.release)
    ctx.copy_buffer(copy, buffers[-1])
    result = np.frombuffer(copy.read(), np.complex64)
    found = snr_db(result, np.fft.fft(line[0].astype(np.complex128)))
    if found < floor_db(length, _BUFFER, len(specs)) - (_COMPUTED_LOSS_DB if row.computed else 0.0):
        raise AccuracyError(f"{row.name} is wrong at {length} points: {found:.1f} dB.")
    return timer.subject(run)
