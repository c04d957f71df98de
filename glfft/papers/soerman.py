"""Soerman, the chapter on GPU technologies: his published points, and his transform in GLSL.

The chapter says how the transform is made, and has no results. The points and the claims are in the thesis of which it
is a part, in its author's public repository, github.com/torbjorn-sorman/TQDT33_THESIS: in Report/plots/1d.csv and
2d.csv, and in Report/chapter/evaluation.tex.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from glfft.algorithms.storage import STORAGES
from glfft.bench.cases import Case
from glfft.errors import GlfftError
from glfft.papers.chapter import FASTER, SLOWER, Chapter, Conclusion, Figure, Measured, Table
from glfft.papers.cuda import GLOBAL_LOCAL, CudaGlobalLocal
from glfft.papers.grid import LIBRARIES, Grid, Point, Spread
from glfft.papers.published import CHAPTER, EVALUATION, LINES_CSV, SQUARES_CSV, Numbers
from glfft.papers.run import Maker, Run

_BUFFER = STORAGES["buffer"]

OWN, ON_WRITING, MASKS = "global-local", "global-local-on-writing", "global-local-masks"
CUDA = f"{ON_WRITING}, CUDA"
_ALGORITHMS = (OWN, ON_WRITING, MASKS, "auto")

SIDES = (256, 512, 1024, 2048)
LENGTHS = tuple(2**power for power in range(4, 21, 2))
BATCHES = (1, 16, 256, 4096)
QUICK_SIDES = (256, 1024)
QUICK_LENGTHS = (2**8, 2**12, 2**16, 2**20)
QUICK_BATCHES = (1, 256)
BATCH_LENGTH = 1024
# The numbers of squares in a batch, and their side.
SQUARES = (1, 8, 64)
QUICK_SQUARES = (1, 8)
SQUARES_SIDE = 256

# The thesis says that a GPU pays from this length on.
PAYS = 2**12

# Microseconds of squares by their side, and of one line by its length. The GPU is a GeForce GTX 670. FFTW and C with
# OpenMP ran on a Core i7 3770K. The files say 0 for what is too short to be timed on the CPU.
_NAMES = ("CUDA", "DirectCompute", "OpenGL", "OpenCL", "cuFFT", "FFTW", "OpenMP")
PUBLISHED_2D = {
    256: (73.6, 72.3, 94.3, 146.8, 29.0, 342.0, 532.0),
    512: (260.1, 268.8, 384.0, 578.4, 91.4, 1363.0, 2753.0),
    1024: (1089.1, 1107.8, 1593.0, 2395.0, 351.1, 7942.0, 13389.0),
    2048: (5223.6, 5409.2, 6983.8, 9366.3, 1225.6, 41735.0, 80230.0),
}
PUBLISHED_1D = {
    2**10: (8.6, 10.5, 12.7, 23.3, 7.3, 2.0, 26.0),
    2**12: (14.3, 17.1, 21.2, 30.8, 8.8, 7.0, 37.0),
    2**14: (30.7, 32.9, 43.7, 54.7, 15.3, 52.0, 149.0),
    2**16: (82.7, 92.1, 134.0, 142.4, 35.2, 262.0, 589.0),
    2**18: (414.8, 424.6, 732.5, 681.3, 105.0, 1201.0, 2433.0),
    2**20: (2046.7, 2072.2, 3447.1, 3194.1, 377.1, 16150.0, 14777.0),
}
_Published = dict[int, tuple[float, ...]]
Ratio = TypeVar("Ratio")

_WHERE = (
    "Microseconds on a GeForce GTX 670, and on a Core i7 3770K for FFTW and OpenMP. The chapter has no results: they "
    "are in the public repository of the thesis that it belongs to"
)


def _line(size: int) -> int:
    """The line of a size in both files, whose smallest size is in line 2."""
    return size.bit_length() - 1


def _squares_line(side: int) -> int:
    return _line(side) - 4


NUMBERS = (
    *(Numbers(SQUARES_CSV.line(_squares_line(side)), (side, *times)) for side, times in PUBLISHED_2D.items()),
    *(Numbers(LINES_CSV.line(_line(length)), (length, *times)) for length, times in PUBLISHED_1D.items()),
)


class Soerman(Chapter):
    """Squares and lines in buffers."""

    name = "soerman"
    title = "Soerman, a benchmark chapter on GPU technologies"
    measures = (
        "Squares, single lines and batches of both in buffers, by the global-local transform: with bits reversed on "
        "reading shared memory, on writing to the target as the chapter has it (global-local-on-writing), and by "
        "masks; by the first two in CUDA where there is CUDA; and by glfft's own choice (auto). Nothing is copied "
        "between CPU and GPU in these times. The chapter has no results: numbers and claims are in the author's public "
        "repository torbjorn-sorman/TQDT33_THESIS."
    )
    published_on = "GeForce GTX 670"
    numbers = NUMBERS

    def measure(self, run: Run) -> dict[str, Grid]:
        cuda = _cuda()

        def rows(case: Case) -> dict[str, Maker]:
            return {**run.plans(case, _ALGORITHMS), **run.contenders(case, cuda), **run.libraries(case)}

        sides, lengths, batches, squares = (
            (QUICK_SIDES, QUICK_LENGTHS, QUICK_BATCHES, QUICK_SQUARES)
            if run.quick
            else (SIDES, LENGTHS, BATCHES, SQUARES)
        )
        side = (SQUARES_SIDE, SQUARES_SIDE)
        # A software renderer takes a minute for a longer one.
        most = 2**16 if run.quick and run.software else lengths[-1]
        return {
            "2-D": run.time({side: rows(Case((side, side), storage=_BUFFER)) for side in sides}),
            "1-D": run.time({n: rows(_lines(1, n)) for n in lengths if n <= most}),
            "batches": run.time({batch: rows(_lines(batch, BATCH_LENGTH)) for batch in batches}),
            "batches of squares": run.time({batch: rows(Case(side, batch, storage=_BUFFER)) for batch in squares}),
        }

    def tables(self, measured: Measured) -> list[Table]:
        published = {name: {side: times[i] for side, times in PUBLISHED_2D.items()} for i, name in enumerate(_NAMES)}
        line = {name: {n: times[i] for n, times in PUBLISHED_1D.items()} for i, name in enumerate(_NAMES)}
        kinds = (
            ("2-D", "Squares here", "side"),
            ("1-D", "Lines here", "length"),
            ("batches", f"Batches of {BATCH_LENGTH} points here", "lines"),
            ("batches of squares", f"Batches of squares of {SQUARES_SIDE} points a side here", "squares"),
        )
        return [
            Table("Squares, published", f"{_WHERE} (Report/plots/2d.csv).", "side", published),
            Table("One line, published", f"{_WHERE} (Report/plots/1d.csv).", "length", line),
            *(
                Table(
                    title,
                    f"Times as multiples of those of {measured[name].reference_name} on the same machine.",
                    points,
                    measured[name].relative(measured[name].reference),
                )
                for name, title, points in kinds
            ),
        ]

    def conclusions(self, measured: Measured) -> list[Conclusion]:
        return [*_of_languages(measured), *_beside_libraries(measured), _of_writing(measured["2-D"])]

    def figures(self, measured: Measured) -> list[Figure]:
        squares = measured["2-D"]
        libraries = (("cuFFT", "cuFFT", ["cufft"]), ("the CPU's library", "FFTW", _CPU))
        beside = [
            Figure(
                f"Squares beside {under}",
                f"time / {under}'s",
                {name: _published(PUBLISHED_2D, name, published) for name in ("CUDA", "OpenGL", "OpenCL")},
                {name: squares.ratios([name], rows) for name in (ON_WRITING, OWN, CUDA, "auto")},
                points="side",
            )
            for under, published, rows in libraries
        ]
        by_masks = {"masks": measured["1-D"].ratios([MASKS], [OWN])}
        squares_at_once = measured["batches of squares"]
        each = {name: _each(squares_at_once, name) for name in (OWN, ON_WRITING, "auto")}
        return [
            *beside,
            Figure("Bits reversed by masks, and by an instruction", "masks / instruction, one line", {}, by_masks),
            Figure("Squares in a batch", "a square in a batch / alone", {}, each, points="squares"),
        ]


_CPU = [name for name in LIBRARIES if name != "cufft"]


def _no_cuda(grid: Grid) -> str:
    """Why there is nothing in CUDA, where it could not be measured at all."""
    return "" if "cufft" in grid.rows else "It takes CUDA, and there is none here."


def _of_languages(measured: Measured) -> list[Conclusion]:
    """One program in several languages."""
    squares = measured["2-D"]
    squares_of = SQUARES_CSV.lines(_squares_line(SIDES[0]), _squares_line(SIDES[-1]))
    return [
        Conclusion(
            "CUDA is the fastest language for squares, by a small margin: OpenGL takes longer (evaluation.tex 174).",
            "OpenGL / CUDA",
            _published(PUBLISHED_2D, "OpenGL", "CUDA"),
            squares.ratios([ON_WRITING], [CUDA]),
            SLOWER,
            reason=_no_cuda(squares),
            remark="Ours is the same algorithm in both, with the same dispatches, threads and tables. How small a "
            "margin is, is not tested.",
            points="side",
            places=(EVALUATION.line(174), squares_of),
        ),
        Conclusion(
            "OpenCL is the slowest language for squares; it takes 1.8 times CUDA's time for large ones "
            "(evaluation.tex 178).",
            "OpenCL / CUDA",
            _published(PUBLISHED_2D, "OpenCL", "CUDA"),
            range=SLOWER,
            reason="It takes a program in OpenCL, which OpenGL does not run. His own line of 2²⁰ points is slower in "
            "OpenGL than in OpenCL.",
            places=(EVALUATION.line(178), squares_of),
        ),
        Conclusion(
            "DirectCompute is only slightly slower than CUDA (evaluation.tex 174).",
            "DirectCompute / CUDA",
            _published(PUBLISHED_2D, "DirectCompute", "CUDA"),
            range=SLOWER,
            reason="DirectCompute is a part of Windows, and OpenGL does not run it.",
            places=(EVALUATION.line(174), squares_of),
        ),
        Conclusion(
            "With OpenMP on the CPU, large squares take 15 times CUDA's time (evaluation.tex 170).",
            "OpenMP / CUDA",
            _published(PUBLISHED_2D, "OpenMP", "CUDA"),
            range=SLOWER,
            reason="It takes a program in C with OpenMP. There is no code to compile for the CPU here.",
            places=(EVALUATION.line(170), squares_of),
        ),
    ]


def _beside_libraries(measured: Measured) -> list[Conclusion]:
    squares, lines = measured["2-D"], measured["1-D"]
    on_cpu = "The device is a software renderer: its transforms run on the CPU too." * measured.software
    own_over_cpu = {} if measured.software else lines.ratios([ON_WRITING], _CPU)
    squares_of = SQUARES_CSV.lines(_squares_line(SIDES[0]), _squares_line(SIDES[-1]))
    return [
        Conclusion(
            "cuFFT is three to four times as fast for squares as his transform in CUDA (evaluation.tex 224).",
            "his transform in CUDA / cuFFT",
            _published(PUBLISHED_2D, "CUDA", "cuFFT"),
            squares.ratios([CUDA], ["cufft"]),
            (3.0, 4.0),
            points="side",
            reason=_no_cuda(squares),
            remark="His own points are from 2.54 to 4.26, and 5.43 for one line of 2²⁰ points.",
            places=(EVALUATION.line(224), squares_of),
        ),
        Conclusion(
            "FFTW takes 10 times CUDA's time for large squares (evaluation.tex 170).",
            "the CPU's library / his transform in CUDA",
            _published(PUBLISHED_2D, "FFTW", "CUDA"),
            {} if measured.software else squares.ratios(_CPU, [CUDA]),
            SLOWER,
            points="side",
            reason=on_cpu or _no_cuda(squares),
            remark="It holds where the CPU takes longer. He has 10 at sides that are larger than ours.",
            places=(EVALUATION.line(170), squares_of),
            proxy="The CPU's library is this machine's, with all its cores; his FFTW has one.",
        ),
        Conclusion(
            "The GPU is stronger than the CPU from 2¹² points on (evaluation.tex 184).",
            "his transform / the CPU's library, one line",
            _paying(_published(PUBLISHED_1D, "OpenGL", "FFTW")),
            _paying(own_over_cpu),
            FASTER,
            reason=on_cpu,
            remark="In his own file cuFFT and CUDA are faster than FFTW from 2¹³ points on, OpenGL from 2¹⁴. A call "
            "of the CPU's library here goes through Python, which takes it some microseconds.",
            places=(EVALUATION.line(184), LINES_CSV.lines(_line(PAYS), _line(LENGTHS[-1]))),
        ),
    ]


def _of_writing(squares: Grid) -> Conclusion:
    return Conclusion(
        "The bottleneck is the access to memory where results are written to bit-reversed places (evaluation.tex 226).",
        "bits reversed on writing / on reading shared memory",
        {},
        squares.ratios([CUDA], [f"{OWN}, CUDA"]) or squares.ratios([ON_WRITING], [OWN]),
        SLOWER,
        points="side",
        remark="It holds where writing in order is faster.",
        places=(EVALUATION.line(226), CHAPTER.line(84)),
        proxy="He found it with a profiler. Ours compares two ways: in CUDA where there is CUDA, else in GLSL.",
    )


def _cuda() -> list[CudaGlobalLocal]:
    """The same transforms in CUDA, where CuPy and its GPU are there."""
    try:
        return [CudaGlobalLocal(algorithm) for algorithm in GLOBAL_LOCAL]
    except GlfftError:
        return []


def _lines(count: int, length: int) -> Case:
    return Case((count, length), axes=(1,), storage=_BUFFER)


def _published(points: _Published, over: str, under: str) -> dict[Point, float]:
    return {n: times[_NAMES.index(over)] / times[_NAMES.index(under)] for n, times in points.items()}


def _each(grid: Grid, row: str) -> dict[Point, Spread]:
    """The time a square in a batch over the time of a square alone."""
    batches = [point for point in grid.points if point != 1 and (row, point) in grid.values]
    alone = grid.values.get((row, 1))
    return {} if alone is None else {n: grid.values[row, n].over(alone).over(Spread(n, n, n)) for n in batches}


def _paying(ratios: Mapping[Point, Ratio]) -> dict[Point, Ratio]:
    """The ratios at lengths from `PAYS` on."""
    return {length: ratio for length, ratio in ratios.items() if length >= PAYS}
