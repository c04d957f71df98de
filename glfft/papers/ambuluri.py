"""Ambuluri, Implementations of the FFT algorithm on GPU, 2012: what he published, and our kernels for it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from glfft.bench.cases import Case
from glfft.papers.ambuluri_lines import COMPUTING, TRANSFER, factor_makers, line_maker
from glfft.papers.ambuluri_rows import (
    FROM_CPU,
    FROM_GPU,
    GAINS,
    IN_ORDER,
    LENGTHS,
    NUMBERS,
    OURS,
    PUBLISHED,
    QUICK_LENGTHS,
    ROWS,
    TABLE_4_1,
    UNBALANCED,
    Row,
)
from glfft.papers.chapter import FASTER, NO_DIFFERENCE, SLOWER, Chapter, Conclusion, Figure, Measured, Table
from glfft.papers.grid import Grid, Point, Spread
from glfft.papers.published import AMBULURI
from glfft.papers.run import Maker, Run


class Ambuluri(Chapter):
    """One line at a time, as in the thesis."""

    name = "ambuluri"
    title = "Ambuluri, Implementations of the FFT algorithm on GPU (2012)"
    measures = (
        "One transform of one line in a buffer, by every kernel and schedule as the thesis has it: points in shared "
        "arrays between stages, results with bits reversed. Beside them stand ours, with points in registers and "
        "results in order."
    )
    published_on = "GeForce GTX 560, CUDA"
    numbers = NUMBERS

    def measure(self, run: Run) -> dict[str, Grid]:
        lengths = QUICK_LENGTHS if run.quick else LENGTHS
        lines = run.time({length: _makers(run, length) for length in lengths})
        factors = run.time({length: factor_makers(run, length) for length in lengths})
        return {"lines": lines, "factors": factors}

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
            *_tables_of_variants(measured),
        ]

    def conclusions(self, measured: Measured) -> list[Conclusion]:
        grid = measured["lines"]
        factors = measured.get("factors", Grid())
        return [
            *_radix_2_in_one_group(grid),
            *_radix_22(grid),
            _balanced_threads(grid),
            *_several_groups(grid),
            *_factors(factors),
            _beside_cufft(grid),
        ]

    def figures(self, measured: Measured) -> list[Figure]:
        grid = measured["lines"]
        reference = grid.reference or ""
        # The thesis does not publish cuFFT's times, but it says what share of them the best kernels save.
        cufft = {
            n: best / (1 - GAINS[n] / 100) for n in GAINS for best in [_best(_thesis_rows(), n)] if best is not None
        }
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


def _names(rows: Iterable[Row]) -> list[str]:
    return [row.name for row in rows]


def _rows(*families: str, threads: tuple[int, ...] = ()) -> tuple[Row, ...]:
    return tuple(
        row for row in ROWS if row.family in families and row.is_of_thesis and (not threads or row.threads in threads)
    )


_ONE_GROUP = _rows("constant-geometry", "radix-22-constant-geometry")
_TWO_GROUPS = _rows("multi-group-2", "multi-group-2-radix-2")
_FOUR_GROUPS = _rows("multi-group-4", "multi-group-4-radix-2")
_SEVERAL = (*_TWO_GROUPS, *_FOUR_GROUPS, *_rows("multi-group-8"))

# Schedules with N threads, which are enough, and with 2 N.
_TWO, _FOUR, _EIGHT = ("word-group-2", "constant-geometry"), ("word-group-4", "radix-22"), ("word-group-8",)
ENOUGH = _rows(*_TWO, threads=(2,)) + _rows(*_FOUR, threads=(4,)) + _rows(*_EIGHT, threads=(8,))
MORE = _rows(*_TWO, threads=(4,)) + _rows(*_FOUR, threads=(8,)) + _rows(*_EIGHT, threads=(16,))

# The radix-2 kernels of figures 5.1 to 5.3, with one thread a word group and with more, and the figures' lengths.
_RADIX_2 = ("word-group-2", "word-group-4", "word-group-8", "constant-geometry")
_ONE_THREAD = _rows(*_RADIX_2, threads=(1,))
_MORE_THREADS = _rows(*_RADIX_2, threads=(2, 4, 8, 16))
_LENGTHS_OF_FIGURES = (64, 256, 512)

# The kinds of kernels that a plot compares.
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


def _thesis_rows() -> tuple[Row, ...]:
    return tuple(row for row in ROWS if row.is_of_thesis)


def _tables_of_variants(measured: Measured) -> list[Table]:
    """Tables of the variants, as far as they were measured."""
    tables = [
        Table(
            "Variants, here",
            "Each variant's time as a multiple of the thesis's on the same machine.",
            "length",
            _beside_thesis(measured["lines"]),
        ),
        Table(
            "Table 4.1, here",
            "Microseconds: the GPU's part of a transform with factors from the CPU or from the GPU, and the factors "
            "alone. numpy computes them; the thesis's program is in C.",
            "length",
            _cells(measured.get("factors", Grid())),
        ),
    ]
    return [table for table in tables if table.rows]


def _beside_thesis(grid: Grid) -> dict[str, dict[Point, Spread]]:
    """The times of variants over the thesis's: ours over the fastest schedule, others over the one they differ from."""
    pairs = [(row, _rows(row.family)) for row in OURS]
    pairs += [(row, _rows(row.family, threads=(row.threads,))) for row in (*UNBALANCED, *IN_ORDER)]
    found = {row.name: grid.ratios([row.name], _names(thesis)) for row, thesis in pairs}
    for groups in (2, 4):
        in_place, constant = f"multi-group-{groups}-in-place", f"multi-group-{groups}"
        sides = [_names(_rows(family, threads=(4,))) for family in (in_place, constant)]
        found[f"{in_place}, 4 threads, over constant geometry"] = grid.ratios(*sides)
    return {name: cells for name, cells in found.items() if cells}


def _cells(grid: Grid) -> dict[str, dict[Point, Spread]]:
    """All numbers of a grid by row."""
    rows = {row: {n: each for (name, n), each in grid.values.items() if name == row} for row in grid.rows}
    return {row: cells for row, cells in rows.items() if cells}


def _radix_2_in_one_group(grid: Grid) -> list[Conclusion]:
    """Section 5.3.1: threads of the radix-2 kernels, and constant geometry."""
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
            range=(1 - NO_DIFFERENCE, SLOWER[1]),
            remark=f"Less than {NO_DIFFERENCE:.0%} counts as no increase.",
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
    ]


def _radix_22(grid: Grid) -> list[Conclusion]:
    """Section 5.3.1: the kernels of radix 2²."""
    return [
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
            _rows("constant-geometry"),
            line=1416,
        ),
    ]


def _balanced_threads(grid: Grid) -> Conclusion:
    """Section 4.2.2: threads that share a butterfly."""
    return _compared(
        grid,
        'The critical path "can be reduced by equal share of the operations in different threads" (4.2.2).',
        "two threads that both multiply / two of which one does",
        _rows("word-group-2", "constant-geometry", threads=(2,)),
        UNBALANCED,
        remark="The thesis has no times of the unbalanced schedule.",
        line=827,
    )


def _several_groups(grid: Grid) -> list[Conclusion]:
    """Section 5.3.3: one line in several work groups."""
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


def _factors(grid: Grid) -> list[Conclusion]:
    """Section 4.6: twiddle factors from the CPU and from the GPU."""
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
            _in_all(grid),
            range=SLOWER,
            remark="Here the CPU's part is the factors alone, by numpy: a plan computes them once and keeps them.",
            places=(AMBULURI.lines(1047, 1049), AMBULURI.lines(1099, 1101)),
        ),
    ]


def _in_all(grid: Grid) -> dict[Point, Spread]:
    """Time with factors from the CPU, which are computed and transferred, over the time with factors from the GPU."""
    at = grid.values
    found: dict[Point, Spread] = {}
    for length in grid.points:
        rows = [(name, length) for name in (FROM_CPU.name, COMPUTING, TRANSFER, FROM_GPU.name)]
        if all(row in at for row in rows):
            cpu, computing, transfer, gpu = (at[row] for row in rows)
            found[length] = cpu.plus(computing).plus(transfer).over(gpu)
    return found


def _beside_cufft(grid: Grid) -> Conclusion:
    return Conclusion(
        '"Our performance is better than CUFFT performance, from the size of FFT, 16 to 1024" (5.3.3).',
        "the fastest kernel / cuFFT",
        {length: 1 - gain / 100 for length, gain in GAINS.items()},
        {n: value for n, value in grid.ratios(_names(_thesis_rows()), ["cufft"]).items() if n in GAINS},
        reason=grid.why_without("cufft"),
        places=(AMBULURI.line(1510),),
        remark="The thesis's kernels leave the results with bits reversed, here too; cuFFT puts them in order.",
    )


# The line of the text that says what figures 5.1 to 5.3 show.
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


def _makers(run: Run, length: int) -> dict[str, Maker]:
    rows = {row.name: line_maker(run, row, length) for row in ROWS}
    return rows | run.libraries(Case((1, length), axes=(1,)))
