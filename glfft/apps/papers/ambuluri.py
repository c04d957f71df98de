"""Ambuluri, Implementations of the FFT algorithm on GPU, 2012: one line at a time, as in the thesis."""

from typing import ClassVar

from glfft.apps.bench.cases import Case
from glfft.apps.papers.ambuluri_kernels import (
    COMPUTING,
    FROM_CPU,
    FROM_GPU,
    IN_ORDER,
    LENGTHS,
    OURS,
    QUICK_LENGTHS,
    ROWS,
    TRANSFER,
    UNBALANCED,
    factor_makers,
    line_maker,
    names,
)
from glfft.apps.papers.chapter import Chapter, Rows
from glfft.apps.papers.claims import Measured
from glfft.apps.papers.grid import Grid, Point, Spread
from glfft.apps.papers.measuring import Maker, Run

# Schedules with N threads, which are enough, and with 2 N.
_TWO, _FOUR, _EIGHT = ("word-group-2", "constant-geometry"), ("word-group-4", "radix-22"), ("word-group-8",)
_ENOUGH = ((_TWO, 2), (_FOUR, 4), (_EIGHT, 8))
# The radix-2 kernels of figures 5.1 to 5.3.
_RADIX_2 = ("word-group-2", "word-group-4", "word-group-8", "constant-geometry")
_TWO_GROUPS, _FOUR_GROUPS = (names(f"multi-group-{n}", f"multi-group-{n}-radix-2") for n in (2, 4))


class Ambuluri(Chapter):
    """One line at a time, as in the thesis."""

    name = "ambuluri"
    file = "ambuluri.toml"
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
            own = {row.name: line_maker(run, row, length) for row in ROWS}
            return own | run.libraries(Case((1, length), axes=(1,)))

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
        rows = [factors.cells.get(name, {}) for name in (FROM_CPU.name, COMPUTING, TRANSFER, FROM_GPU.name)]
        found = {}
        for length in [length for length in rows[0] if all(length in row for row in rows)]:
            cpu, computing, transfer, gpu = (row[length] for row in rows)
            found[length] = cpu.plus(computing).plus(transfer).over(gpu)
        return found

    def gains(self, gains: Grid) -> dict[Point, Spread]:
        """What is left of cuFFT's time, from the per cent that the fastest kernel saves."""
        return {n: Spread.exact(1 - saved.middle / 100) for n, saved in gains.cells["saved"].items()}

    def kinds_beside_cufft(self, measured: Measured) -> Rows:
        """The fastest published kernel of each kind over cuFFT, where cuFFT is what ours are compared with. The thesis
        does not publish cuFFT's times, but it says what share of them the fastest kernels save.
        """
        if measured["lines"].reference != "cufft":
            return {}
        times, shares = self.published["lines"], self.gains(self.published["table 5.8"])
        kinds = ("word groups", "constant geometry", "radix 2², constant geometry", "several groups")
        found = {}
        for kind in kinds:
            ratios = times.ratios(self.groups[kind], self.groups["thesis"])
            # Best of a kind over best of all, times best of all over cuFFT.
            beside = {n: ratios[n].middle * shares[n].middle for n in shares if n in ratios}
            found[kind.partition(",")[0]] = {n: Spread.exact(share) for n, share in beside.items()}
        return found
