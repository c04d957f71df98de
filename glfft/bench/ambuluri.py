"""What Ambuluri published (Implementations of the FFT algorithm on GPU, 2012), and our kernels for it."""

from __future__ import annotations

from dataclasses import dataclass

from glfft.algorithms.word_groups import WordGroupConfig

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
    """

    family: str
    threads: int
    published: Times = ()
    computed: bool = False
    twiddles: str = "shared"

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

    def published_at(self, length: int) -> float | None:
        """Microseconds, or None where the thesis has none."""
        index = LENGTHS.index(length)
        return self.published[index] if index < len(self.published) else None


def _fours(*times: float) -> Times:
    return tuple(each for time in times for each in (time, None))


_NONE: Times = (None,)

# Tables 5.1, 5.3, 5.5 and 5.6. The groups of 4 and 8 words have no times where a line is no whole number of epochs.
ROWS = (
    Row("word-group-2", 1, (6.58, 8.1, 12.06, 13.44, 14.98, 17.41, 23.78, 43.2)),
    Row("word-group-2", 2, (6.05, 7.52, 8.45, 9.66, 11.23, 14.18, 26.72)),
    Row("word-group-2", 4, (6.08, 6.43, 7.17, 8.67, 10.7, 19.01)),
    Row("word-group-4", 1, _fours(6.62, 14.91, 27.97, 34.46)),
    Row("word-group-4", 2, _fours(4.99, 10.21, 12.80, 19.94)),
    Row("word-group-4", 4, _fours(5.02, 8.0, 11.46)),
    Row("word-group-4", 8, _fours(4.7, 6.99, 10.43)),
    Row("word-group-8", 1, (None, None, 24.42, None, None, 86.56)),
    Row("word-group-8", 2, (None, None, 13.47, None, None, 26.53)),
    Row("word-group-8", 4, (None, None, 9.92, None, None, 15.33)),
    Row("word-group-8", 8, (None, None, 7.74, None, None, 14.59)),
    Row("word-group-8", 16, (None, None, 6.75)),
    Row("constant-geometry", 1, (4.7, 5.76, 7.39, 8.19, 9.04, 10.4, 14.34, 25.18)),
    Row("constant-geometry", 2, (4.61, 5.6, 6.2, 6.91, 7.84, 9.95, 17.66)),
    Row("constant-geometry", 4, (5.53, 5.4, 5.9, 6.82, 8.78, 12.96)),
    Row("radix-22", 4, _fours(4.19, 5.82, 8.42, 22.98)),
    Row("radix-22", 8, _fours(4.0, 5.38, 9.15)),
    Row("radix-22-constant-geometry", 4, _fours(3.55, 4.22, 5.12, 11.1)),
    Row("radix-22-constant-geometry", 8, _fours(3.55, 3.9, 5.79)),
    # The best of radix 2 and radix 2^2, which is what these families take.
    Row("multi-group-2", 4, (4.35, 5.22, 5.25, 5.88, 5.426, 8.06, 9.24)),
    Row("multi-group-4", 4, (5.7, None, 6.5, None, 7.4, None, 9.2, None, 20.7)),
    # Schedules that the thesis has no times for.
    *(Row("word-group-16", threads, _NONE) for threads in (1, 4, 16)),
    *(Row(family, threads, _NONE) for family in ("radix-22", "radix-22-constant-geometry") for threads in (1, 2)),
    *(Row(family, 1, _NONE) for family in ("multi-group-2", "multi-group-4", "multi-group-8")),
    # The twiddle factors of table 4.1.
    Row("constant-geometry", 1),
    Row("constant-geometry", 1, computed=True),
)

# Table 5.8: per cent of cuFFT's time that the best of all kernels saves.
GAINS = {16: 35.12, 32: 10.87, 64: 26.41, 128: 27.08, 256: 34.42, 512: 2.75, 1024: 0.52}


@dataclass(frozen=True)
class Conclusion:
    """One kind of rows is said to be faster than another.

    Attributes:
        claim: the thesis's, in few words, with its place.
        faster, slower: the rows; at each length the fastest of each side count.
        lengths: it is about.
    """

    claim: str
    faster: tuple[Row, ...]
    slower: tuple[Row, ...]
    lengths: tuple[int, ...] = LENGTHS


def _rows(*families: str, threads: tuple[int, ...] = ()) -> tuple[Row, ...]:
    return tuple(
        row
        for row in ROWS
        if row.family in families and not row.is_of_twiddles and (not threads or row.threads in threads)
    )


_ONE_GROUP = _rows("constant-geometry", "radix-22-constant-geometry")
_SEVERAL = _rows("multi-group-2", "multi-group-4", "multi-group-8")

CONCLUSIONS = (
    Conclusion(
        "Constant geometry performs best among the radix-2 implementations (5.3.1).",
        _rows("constant-geometry"),
        _rows("word-group-2", "word-group-4", "word-group-8"),
    ),
    Conclusion(
        "Radix 2^2 is better than radix 2 (5.3.1).", _rows("radix-22-constant-geometry"), _rows("constant-geometry")
    ),
    Conclusion(
        "One multiprocessor is better than several for small transforms (5.3.3).", _ONE_GROUP, _SEVERAL, (16, 32, 64)
    ),
    Conclusion("Several multiprocessors are better for large ones (5.3.3).", _SEVERAL, _ONE_GROUP, (1024, 2048, 4096)),
    Conclusion(
        "Factors computed on the CPU beforehand save the GPU time (table 4.1: 6.624 against 7.8 us at N = 16).",
        (ROWS[-2],),
        (ROWS[-1],),
    ),
)

# Of two schedules, the one with 2 N threads is said to be hardly better than the one with N.
THREADS_ENOUGH = "Performance does not increase with more than N threads (5.3.1)."
_TWO, _FOUR, _EIGHT = ("word-group-2", "constant-geometry"), ("word-group-4", "radix-22"), ("word-group-8",)
ENOUGH = _rows(*_TWO, threads=(2,)) + _rows(*_FOUR, threads=(4,)) + _rows(*_EIGHT, threads=(8,))
MORE = _rows(*_TWO, threads=(4,)) + _rows(*_FOUR, threads=(8,)) + _rows(*_EIGHT, threads=(16,))
