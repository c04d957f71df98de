"""Ambuluri's tables as data: each kernel and schedule of the thesis as a row, and ours beside them."""

from __future__ import annotations

from dataclasses import dataclass

from glfft.algorithms.lengths import log2
from glfft.algorithms.word_group_passes import WordGroupConfig
from glfft.papers.grid import Grid, Point, Spread
from glfft.papers.published import AMBULURI, Numbers

LENGTHS = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
QUICK_LENGTHS = (16, 64, 256, 1024)

# A row's times at the lengths from 16 on, in order. None stands where the thesis has no time.
Times = tuple[float | None, ...]


@dataclass(frozen=True)
class Row:
    """A kernel of one of the tables, or a variant to stand beside it.

    Attributes:
        family: the algorithm.
        threads: how many threads a word group has.
        published: microseconds on a GeForce GTX 560 (CUDA), by length; empty for the rows about twiddle factors.
        computed: the twiddle factors are computed on the GPU.
        twiddles: the memory of the twiddle factors, such as "shared".
        lines: the text's lines of the published times. The first of two has the lengths that are no powers of four.
        points: where points lie between stages: in shared arrays as in the thesis, or in registers.
        balanced: where two threads share a butterfly, both multiply.
        in_order: results are put in order; the thesis leaves them with bits reversed.
    """

    family: str
    threads: int = 1
    published: Times = ()
    computed: bool = False
    twiddles: str = "shared"
    lines: tuple[int, ...] = ()
    points: str = "arrays"
    balanced: bool = True
    in_order: bool = False

    @property
    def config(self) -> WordGroupConfig:
        """The kernel's settings."""
        return WordGroupConfig(self.threads, self.twiddles, self.points, self.balanced)

    @property
    def name(self) -> str:
        """The row's name in reports."""
        if self.points == "registers":
            return f"{self.family}, ours in registers"
        threads = f"{self.family}, {self.threads} thread{'s' * (self.threads > 1)}"
        threads += ", unbalanced" * (not self.balanced) + ", in order" * self.in_order
        return f"{threads}, twiddles from the {'GPU' if self.computed else 'CPU'}" if self.is_of_twiddles else threads

    @property
    def is_of_thesis(self) -> bool:
        """Whether the row is one of the thesis's schedules that its tables compare."""
        return self.points == "arrays" and self.balanced and not self.in_order and not self.is_of_twiddles

    @property
    def is_of_twiddles(self) -> bool:
        """Whether the row is there to compare factors from the CPU with factors from the GPU."""
        return self.published == ()

    @property
    def published_at(self) -> dict[Point, float]:
        """The thesis's times in microseconds, by length."""
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
    """Times at the lengths that are no powers of four."""
    return tuple(each for time in times for each in (None, time))


_NONE: Times = (None,)

# The twiddle factors of table 4.1.
FROM_CPU = Row("constant-geometry")
FROM_GPU = Row("constant-geometry", computed=True)

# These kernels keep the word group of a thread in registers, and put results in order.
OURS = tuple(
    Row(family, published=_NONE, points="registers", in_order=True)
    for family in (
        *("word-group-2", "word-group-4", "word-group-8", "word-group-16"),
        *("constant-geometry", "radix-22", "radix-22-constant-geometry"),
        *("multi-group-2", "multi-group-4"),
    )
)

UNBALANCED = tuple(Row(family, 2, _NONE, balanced=False) for family in ("word-group-2", "constant-geometry"))
IN_ORDER = (
    Row("constant-geometry", 2, _NONE, in_order=True),
    Row("radix-22-constant-geometry", 4, _NONE, in_order=True),
)
VARIANTS = (*OURS, *UNBALANCED, *IN_ORDER)

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
    # The thesis has no times of these schedules, or times at some lengths only.
    *(Row("word-group-16", threads, _NONE) for threads in (1, 4, 16)),
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
    # The thesis leaves these to future work.
    *(Row(family, threads, _NONE) for family, threads in (("multi-group-4", 8), ("multi-group-8", 4))),
    *(Row(f"multi-group-{groups}-in-place", 4, _NONE) for groups in (2, 4)),
    *VARIANTS,
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


def _published() -> Grid:
    return Grid({(row.name, n): Spread(time, time, time) for row in ROWS for n, time in row.published_at.items()})


PUBLISHED = _published()
