"""Hinitt and Kocak's batches: their kernels, one batch divided over streams, and the parts of its time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass

import moderngl

from glfft.accuracy import snr_db
from glfft.bench.cases import Case
from glfft.demos.ofdm.settings import FIXED8, FLOAT16, FLOAT32
from glfft.errors import AccuracyError
from glfft.gl import programs, source
from glfft.papers.chapter import Figure, Measured, Table
from glfft.papers.divided_batch import DividedBatch
from glfft.papers.grid import Grid, Point, Spread
from glfft.papers.published import HINITT, Numbers
from glfft.papers.run import Maker, Run
from glfft.papers.sampled_transforms import FLOORS_DB, POINTS, SampledTransforms, numbers
from glfft.streaming.slots import ArrayLayout
from glfft.streaming.stream import Work

PLANAR, SETS, PERMUTED, REORDERED = (
    "planar-radix-2",
    "butterfly-sets",
    "butterfly-sets-permuted",
    "butterfly-sets-reordered",
)
ALGORITHMS = (PLANAR, SETS, PERMUTED, REORDERED)
COMPUTED = (PLANAR, SETS, REORDERED)

# The names of widths in reports.
BITS = {FLOAT32: "32-bit", FLOAT16: "16-bit", FIXED8: "8-bit"}

# Batches of a sample, one after the other.
_BATCHES = 8

ONE, TWO, FOUR = "one stream", "two streams", "four streams"
_STREAMS = {ONE: 1, TWO: 2, FOUR: 4}
# The ways of a batch to the device and back, as names of rows end.
TOGETHER, APART, DIRECT = "", ", three contexts", ", without copies"

_KERNELS = {"radix 2": PLANAR, "new kernel": SETS, "new kernel, other order": REORDERED}
RADIX_2, NEW, ORDERED = _KERNELS

# Microseconds a transform in one batch, by kernel, streams and width (sections 4.2 to 5.3).
PUBLISHED = {
    (RADIX_2, ONE, FLOAT32): (HINITT.line(146), 2.83),
    (RADIX_2, TWO, FLOAT32): (HINITT.line(152), 2.54),
    (RADIX_2, FOUR, FLOAT16): (HINITT.line(184), 1.34),
    (RADIX_2, ONE, FIXED8): (HINITT.line(207), 0.86),
    (RADIX_2, FOUR, FIXED8): (HINITT.line(207), 0.534),
    (NEW, ONE, FIXED8): (HINITT.line(272), 0.769),
    (NEW, FOUR, FIXED8): (HINITT.line(272), 0.459),
    (ORDERED, FOUR, FIXED8): (HINITT.line(303), 0.392),
}

NUMBERS = tuple(
    Numbers(place, (value,), 1.0 if value in (2.83, 2.54, 1.34) else 1000.0) for place, value in PUBLISHED.values()
)

# The rows of section 4.4.1: its runs, and a whole batch beside them.
TRANSFERS, CONVERTED, EMPTY, WHOLE = (
    "transfers alone (i)",
    "transfers and conversions (ii)",
    "an empty kernel (iii)",
    "transfers, conversions and transforms",
)


@dataclass(frozen=True)
class Row:
    """One way to transform a batch.

    Attributes:
        kernel: a key of _KERNELS.
        streams: a key of _STREAMS.
        way: TOGETHER in one context, APART for copies there, work and copies back in a context each, or DIRECT for
            kernels that read and write the program's memory themselves.
    """

    kernel: str
    streams: str
    way: str = TOGETHER

    @property
    def name(self) -> str:
        """The row's name in reports."""
        return f"{self.kernel}, {self.streams}{self.way}"


ROWS = (
    *(Row(RADIX_2, streams) for streams in _STREAMS),
    *(Row(RADIX_2, streams, APART) for streams in (TWO, FOUR)),
    Row(RADIX_2, ONE, DIRECT),
    *(Row(kernel, streams) for kernel in (NEW, ORDERED) for streams in (ONE, FOUR)),
    *(Row(kernel, FOUR, APART) for kernel in (NEW, ORDERED)),
    *(Row(kernel, ONE, DIRECT) for kernel in (NEW, ORDERED)),
)


def on_device(run: Run, case: Case) -> dict[str, Maker]:
    """The paper's kernels on one batch that stays on the device, with factors from a table and computed."""
    tables = run.plans(case, ALGORITHMS)
    computed = {computed_row(name): run.plan(case, name, "computed") for name in COMPUTED}
    return {**tables, **computed}


def computed_row(name: str) -> str:
    """The row of a kernel that computes its factors."""
    return f"{name}, factors computed"


def measure(run: Run, count: int) -> dict[str, Grid]:
    """Batches with their transfers, divided and whole, and parts of their time: microseconds a transform."""
    ctx = run.ctx
    divided = {
        BITS[width]: {
            row.name: _maker(ctx, row, width, count) for row in ROWS if row.kernel == RADIX_2 or width == FIXED8
        }
        for width in (FLOAT32, FLOAT16, FIXED8)
    }
    parts = {BITS[width]: _parts(ctx, width, count) for width in (FLOAT16, FIXED8)}
    return {"divided": run.time(divided), "parts": run.time(parts)}


class BatchCall:
    """A batch, timed by the wall clock from its first copy until the last has arrived: microseconds a transform.

    Its numbers lie where the device takes them from before, and nobody copies its results out of where they arrive.

    Args:
        batch: the batch that is timed.
        count: transforms of a batch.
    """

    timer = "wall"

    def __init__(self, batch: DividedBatch, count: int) -> None:
        self._batch, self._count = batch, count

    def prepare(self) -> None:
        self.sample()

    def sample(self) -> float:
        begun = time.perf_counter()
        for _ in range(_BATCHES):
            self._batch.run()
        return (time.perf_counter() - begun) * 1e6 / (_BATCHES * self._count)


class _EmptyCall:
    """Dispatches of a kernel that does nothing, as many work groups as transforms, waited for each time."""

    timer = "wall"

    def __init__(self, ctx: moderngl.Context, count: int) -> None:
        self._ctx, self._count = ctx, count
        self._program = programs.compute_from(ctx, source.assemble("tuning/empty.comp", {"THREADS": POINTS // 8}))

    def prepare(self) -> None:
        self.sample()

    def sample(self) -> float:
        begun = time.perf_counter()
        for _ in range(_BATCHES):
            self._program.run(self._count, 1, 1)
            self._ctx.finish()
        return (time.perf_counter() - begun) * 1e6 / (_BATCHES * self._count)


def _maker(ctx: moderngl.Context, row: Row, width: str, count: int) -> Maker:
    def make(stack: ExitStack) -> BatchCall:
        streams = _STREAMS[row.streams]
        transforms = _transforms(ctx, width, _KERNELS[row.kernel], count // streams, stack)
        batch = _divided(ctx, transforms, transforms.layout, stack, streams, row.way)
        samples, exact = numbers(width, count)
        batch.fill(samples)
        batch.run()
        _check(row.name, snr_db(transforms.decode(batch.results), exact), width)
        return BatchCall(batch, count)

    return make


def _parts(ctx: moderngl.Context, width: str, count: int) -> dict[str, Maker]:
    """The runs (i) to (iii) of section 4.4.1, in one stream, and what they are parts of."""

    def transfers(stack: ExitStack) -> BatchCall:
        samples, _ = numbers(width, count)
        batch = _divided(ctx, lambda up, down: None, (samples.shape, samples.dtype), stack)
        batch.fill(samples)
        return BatchCall(batch, count)

    def converted(stack: ExitStack) -> BatchCall:
        converting = SampledTransforms(ctx, width, None, count)
        stack.callback(converting.release)
        samples, _ = numbers(width, count)
        batch = _divided(ctx, converting, converting.layout, stack)
        batch.fill(samples)
        return BatchCall(batch, count)

    return {
        TRANSFERS: transfers,
        CONVERTED: converted,
        EMPTY: lambda stack: _EmptyCall(ctx, count),
        WHOLE: _maker(ctx, Row(RADIX_2, ONE), width, count),
    }


def _transforms(ctx: moderngl.Context, width: str, algorithm: str, count: int, stack: ExitStack) -> SampledTransforms:
    # Figure 13 has sine and cosine in the kernel, and table 5 the angles.
    transforms = SampledTransforms(ctx, width, algorithm, count, twiddles="computed")
    stack.callback(transforms.release)
    return transforms


def _divided(
    ctx: moderngl.Context,
    work: Work,
    layout: ArrayLayout,
    stack: ExitStack,
    streams: int = 1,
    way: str = TOGETHER,
) -> DividedBatch:
    batch = DividedBatch(ctx, work, layout, streams, contexts=3 if way == APART else 1, direct=way == DIRECT)
    stack.callback(batch.release)
    return batch


def _check(name: str, found: float, width: str) -> None:
    if found < FLOORS_DB[width]:
        raise AccuracyError(f"The batch of {name} is wrong: {found:.1f} dB.")


def tables(measured: Measured) -> list[Table]:
    """The paper's times of one batch and ours, and the parts of them."""
    divided, parts = measured["divided"], measured["parts"]
    published: dict[str, dict[Point, float]] = {}
    for (kernel, streams, width), (_, value) in PUBLISHED.items():
        published.setdefault(Row(kernel, streams).name, {})[BITS[width]] = value
    return [
        Table(
            "One batch divided over streams, published",
            "Microseconds a transform on a GeForce GTX 260, with transfers (sections 4.2 to 5.3).",
            "samples",
            published,
        ),
        Table(
            "One batch divided over streams here",
            "Times a transform, with transfers, as multiples of those of the batch undivided, of 32-bit samples.",
            "samples",
            _over_first(divided),
        ),
        Table(
            "Operations a second here",
            "10⁹ of them, by the paper's formula, 5 N log₂ N over the time: with transfers, as in table 6.",
            "samples",
            {row: {point: _gflops(value) for point, value in cells.items()} for row, cells in _cells(divided).items()},
        ),
        Table(
            "Operations a second on the device",
            "10⁹ of them, by the same formula: transforms alone, of numbers that stay on the device.",
            "batch",
            {
                row: {point: _gflops(value) for point, value in cells.items()}
                for row, cells in _cells(measured["batches"]).items()
            },
        ),
        Table(
            "Where the time goes here",
            "Times a transform, in one stream, as multiples of all of it: the paper's runs (i) to (iii).",
            "samples",
            {row: parts.ratios([row], [WHOLE]) for row in parts.rows if row != WHOLE},
        ),
        Table(
            "What each part takes here",
            "Shares of all of the time a transform, in one stream: differences of those runs, as in tables 2 and 3.",
            "samples",
            _shares(parts),
        ),
    ]


def figure(measured: Measured) -> Figure:
    """The paper's times of one batch over the first of them, and ours."""
    divided = measured["divided"]
    (first, (_, first_time)), *others = PUBLISHED.items()
    ways = {f"{Row(*key[:2]).name}, {BITS[key[2]]}": (key, value) for key, (_, value) in others}
    under = divided.values.get((Row(*first[:2]).name, BITS[first[2]]))
    measured_ways = {
        way: divided.values.get((Row(kernel, streams).name, BITS[width]))
        for way, ((kernel, streams, width), _) in ways.items()
    }
    return Figure(
        "One batch divided over streams",
        "time a transform / in one stream, 32-bit",
        {"ways": {way: value / first_time for way, (_, value) in ways.items()}},
        {"ways": {way: each.over(under) for way, each in measured_ways.items() if each is not None and under}},
        points="way",
    )


def _cells(grid: Grid) -> dict[str, dict[Point, Spread]]:
    found: dict[str, dict[Point, Spread]] = {}
    for (row, point), value in grid.values.items():
        found.setdefault(row, {})[point] = value
    return found


def _over_first(grid: Grid) -> Mapping[str, Mapping[Point, Spread]]:
    first = grid.values.get((Row(RADIX_2, ONE).name, BITS[FLOAT32]))
    if first is None:
        return {}
    return {row: {point: value.over(first) for point, value in cells.items()} for row, cells in _cells(grid).items()}


def _gflops(value: Spread) -> Spread:
    """5 N log2 N over a time in microseconds, in 10^9 a second (equation 4)."""
    operations = 5 * POINTS * (POINTS.bit_length() - 1) / 1e3
    return Spread(operations / value.middle, operations / value.high, operations / value.low)


def _shares(parts: Grid) -> dict[str, dict[Point, float]]:
    found: dict[str, dict[Point, float]] = {}
    for point in parts.points:
        times = {row: parts.values.get((row, point)) for row in (TRANSFERS, CONVERTED, EMPTY, WHOLE)}
        if any(value is None for value in times.values()):
            continue
        copies, converted, empty, whole = (value.middle for value in times.values() if value is not None)
        shares = {
            "copies": copies,
            "conversion": converted - copies,
            "kernel call": empty,
            "transform": whole - converted,
        }
        for name, taken in shares.items():
            found.setdefault(name, {})[point] = taken / whole
    return found
