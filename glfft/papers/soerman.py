"""Soerman, the chapter on GPU technologies: his published points, and his transform in GLSL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from glfft.algorithms.storage import STORAGES
from glfft.bench.cases import Case
from glfft.errors import GlfftError
from glfft.papers.chapter import FASTER, SLOWER, Chapter, Conclusion, Figure, Measured, Table
from glfft.papers.cuda import CudaGlobalLocal
from glfft.papers.grid import LIBRARIES, Grid, Point, Spread
from glfft.papers.run import Maker, Run

_BUFFER = STORAGES["buffer"]

OWN, MASKS, CUDA = "global-local", "global-local-masks", CudaGlobalLocal.name
_ALGORITHMS = (OWN, MASKS, "auto")

SIDES = (256, 512, 1024, 2048)
LENGTHS = tuple(2**power for power in range(4, 21, 2))
BATCHES = (1, 16, 256, 4096)
QUICK_SIDES = (256, 1024)
QUICK_LENGTHS = (2**8, 2**12, 2**16, 2**20)
QUICK_BATCHES = (1, 256)
BATCH_LENGTH = 1024

# From here on a GPU is said to pay.
PAYS = 2**12

# Microseconds on a GeForce GTX 670, of squares by their side and of one line by its length.
_NAMES = ("CUDA", "DirectCompute", "OpenGL", "OpenCL", "cuFFT", "FFTW")
PUBLISHED_2D = {
    256: (73.6, 72.3, 94.3, 146.8, 29.0, 342.0),
    512: (260.0, 269.0, 384.0, 578.0, 91.0, 1363.0),
    1024: (1089.0, 1108.0, 1593.0, 2395.0, 351.0, 7942.0),
    2048: (5224.0, 5409.0, 6984.0, 9366.0, 1226.0, 41735.0),
}
PUBLISHED_1D = {2**20: (2047.0, 2072.0, 3447.0, 3194.0, 377.0, 16150.0)}
_Published = dict[int, tuple[float, ...]]


class Soerman(Chapter):
    """Squares and lines in buffers."""

    name = "soerman"
    title = "Soerman, a benchmark chapter on GPU technologies"
    measures = (
        "Squares, single lines and batches of lines in buffers, by the global-local transform with both bit reversals, "
        "by the same in CUDA where there is CUDA, and by glfft's own choice (auto). Nothing is copied between CPU and "
        "GPU in these times."
    )
    published_on = "GeForce GTX 670"

    def measure(self, run: Run) -> dict[str, Grid]:
        cuda = _cuda()

        def rows(case: Case) -> dict[str, Maker]:
            return {**run.plans(case, _ALGORITHMS), **run.contenders(case, cuda), **run.libraries(case)}

        sides, lengths, batches = (
            (QUICK_SIDES, QUICK_LENGTHS, QUICK_BATCHES) if run.quick else (SIDES, LENGTHS, BATCHES)
        )
        # A software renderer takes a minute for a longer one.
        most = 2**16 if run.quick and run.software else lengths[-1]
        return {
            "2-D": run.time({side: rows(Case((side, side), storage=_BUFFER)) for side in sides}),
            "1-D": run.time({n: rows(_lines(1, n)) for n in lengths if n <= most}),
            "batches": run.time({batch: rows(_lines(batch, BATCH_LENGTH)) for batch in batches}),
        }

    def tables(self, measured: Measured) -> list[Table]:
        published = {name: {side: times[i] for side, times in PUBLISHED_2D.items()} for i, name in enumerate(_NAMES)}
        line = {name: {n: times[i] for n, times in PUBLISHED_1D.items()} for i, name in enumerate(_NAMES)}
        kinds = (
            ("2-D", "Squares here", "side"),
            ("1-D", "Lines here", "length"),
            ("batches", f"Batches of {BATCH_LENGTH} points here", "lines"),
        )
        return [
            Table("Squares, published", f"Microseconds on a {self.published_on}.", "side", published),
            Table("One line, published", f"Microseconds on a {self.published_on}.", "length", line),
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
        squares, lines = measured["2-D"], measured["1-D"]
        cpu = [name for name in LIBRARIES if name != "cufft"]
        on_cpu = "The device is a software renderer: its transforms run on the CPU too."
        own_over_cpu = {} if measured.software else lines.ratios([OWN], cpu)
        return [
            Conclusion(
                "OpenGL takes 1.3 to 1.6 times CUDA's time.",
                "OpenGL / CUDA",
                _published(PUBLISHED_2D, "OpenGL", "CUDA"),
                squares.ratios([OWN], [CUDA]),
                (1.3, 1.6),
                reason="It takes CUDA, and there is none here.",
                remark="Ours is the same algorithm in both, with the same dispatches, threads and tables.",
                points="side",
            ),
            Conclusion(
                "OpenCL is the slowest, at 1.6 to 2.2 times CUDA's time.",
                "OpenCL / CUDA",
                _published(PUBLISHED_2D, "OpenCL", "CUDA"),
                range=(1.6, 2.2),
                reason="It takes a program in OpenCL, and there is none here.",
            ),
            Conclusion(
                "A transform written by hand takes 3 to 4 times cuFFT's time.",
                "global-local / cuFFT, squares",
                _published(PUBLISHED_2D, "CUDA", "cuFFT"),
                squares.ratios([OWN], ["cufft"]),
                (2.5, 4.5),
                points="side",
                reason="It takes cuFFT, and there is none here.",
                remark="2.5 to 4.5 counts as 3 to 4. The paper's is in CUDA, ours in GLSL.",
            ),
            Conclusion(
                "The GPU pays above 2¹² points.",
                "global-local / the CPU's library, one line",
                _published(PUBLISHED_1D, "OpenGL", "FFTW"),
                _where(own_over_cpu, (n for n in lines.points if n > PAYS)),
                FASTER,
                reason=on_cpu,
            ),
            Conclusion(
                "It does not pay up to 2¹² points.",
                "global-local / the CPU's library, one line",
                {},
                _where(own_over_cpu, (n for n in lines.points if n <= PAYS)),
                SLOWER,
                reason=on_cpu,
                remark="A call of the CPU's library goes through Python, which takes it some microseconds.",
            ),
        ]

    def figures(self, measured: Measured) -> list[Figure]:
        squares = measured["2-D"]
        cpu = [name for name in LIBRARIES if name != "cufft"]
        libraries = (("cuFFT", "cuFFT", ["cufft"]), ("the CPU's library", "FFTW", cpu))
        beside = [
            Figure(
                f"Squares beside {under}",
                f"time / {under}'s",
                {name: _published(PUBLISHED_2D, name, published) for name in ("CUDA", "OpenGL", "OpenCL")},
                {name: squares.ratios([name], rows) for name in (OWN, CUDA, "auto")},
                points="side",
            )
            for under, published, rows in libraries
        ]
        by_masks = {"masks": measured["1-D"].ratios([MASKS], [OWN])}
        return [
            *beside,
            Figure("Bits reversed by masks, and by an instruction", "masks / instruction, one line", {}, by_masks),
        ]


def _cuda() -> list[CudaGlobalLocal]:
    """The same transform in CUDA, where CuPy and its GPU are there."""
    try:
        return [CudaGlobalLocal()]
    except GlfftError:
        return []


def _lines(count: int, length: int) -> Case:
    return Case((count, length), axes=(1,), storage=_BUFFER)


def _published(points: _Published, over: str, under: str) -> dict[Point, float]:
    return {n: times[_NAMES.index(over)] / times[_NAMES.index(under)] for n, times in points.items()}


def _where(ratios: Mapping[Point, Spread], points: Iterable[Point]) -> dict[Point, Spread]:
    wanted = set(points)
    return {point: ratio for point, ratio in ratios.items() if point in wanted}
