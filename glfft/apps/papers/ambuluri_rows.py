"""Ambuluri's kernels and schedules as rows of his tables, and ours beside them."""

from __future__ import annotations

from dataclasses import dataclass

from glfft.algorithms.study.word_group_passes import WordGroupConfig

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
        """The kernel's settings."""
        return WordGroupConfig(self.threads, self.twiddles, self.points, self.balanced)

    @property
    def name(self) -> str:
        """The row's name in reports."""
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
