"""Soerman, the chapter on GPU technologies: his published points, and his transform in GLSL.

They are in his thesis, github.com/torbjorn-sorman/TQDT33_THESIS: Report/plots/1d.csv, 2d.csv, chapter/evaluation.tex.
"""

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.suite import Case
from glfft.apps.papers.chapter import Chapter, Rows
from glfft.apps.papers.claims import Grid, Measured, Point, Spread
from glfft.apps.papers.cuda import GLOBAL_LOCAL, cuda_peers
from glfft.apps.papers.measuring import Maker, Run

_BUFFER = STORAGES["buffer"]

OWN, ON_WRITING, MASKS = "global-local", "global-local-on-writing", "global-local-masks"
CUDA = f"{ON_WRITING}, CUDA"
_ALGORITHMS = (OWN, ON_WRITING, MASKS, "auto")

SIDES, QUICK_SIDES = (256, 512, 1024, 2048), (256, 1024)
LENGTHS, QUICK_LENGTHS = tuple(2**power for power in range(4, 21, 2)), (2**8, 2**12, 2**16, 2**20)
BATCHES, QUICK_BATCHES = (1, 16, 256, 4096), (1, 256)
BATCH_LENGTH, SQUARES_SIDE = 1024, 256
SQUARES, QUICK_SQUARES = (1, 8, 64), (1, 8)  # the numbers of squares in a batch


class Soerman(Chapter):
    name = "soerman"

    def measure(self, run: Run) -> dict[str, Grid]:
        cuda = cuda_peers(GLOBAL_LOCAL)

        def rows(shape: tuple[int, int], batch: int = 1, axes: tuple[int, ...] = (0, 1)) -> dict[str, Maker]:
            case = Case(shape, batch, axes, _BUFFER)
            return {**run.plans(case, _ALGORITHMS), **run.contenders(case, [*cuda, *run.peers])}

        quick, whole = (QUICK_SIDES, QUICK_LENGTHS, QUICK_BATCHES, QUICK_SQUARES), (SIDES, LENGTHS, BATCHES, SQUARES)
        sides, lengths, batches, squares = quick if run.quick else whole
        # A software renderer takes a minute for a longer one.
        most = 2**16 if run.quick and run.software else lengths[-1]
        return {
            "2-D": run.time({side: rows((side, side)) for side in sides}),
            "1-D": run.time({n: rows((1, n), axes=(1,)) for n in lengths if n <= most}),
            "batches": run.time({batch: rows((batch, BATCH_LENGTH), axes=(1,)) for batch in batches}),
            "batches of squares": run.time({batch: rows((SQUARES_SIDE, SQUARES_SIDE), batch) for batch in squares}),
        }

    def words(self, measured: Measured) -> dict[str, str]:
        words = super().words(measured)
        no_cuda = "It takes CUDA, and there is none here." * bool(words["no_cufft"])  # with CUDA there is cuFFT, too
        return {**words, "no_cuda": no_cuda, "on_cpu_or_no_cuda": words["on_cpu"] or no_cuda}

    def writing(self, squares: Grid) -> dict[Point, Spread]:
        """Bits reversed on writing over bits reversed on reading: in CUDA where there is CUDA, else in GLSL."""
        return squares.ratios([CUDA], [f"{OWN}, CUDA"]) or squares.ratios([ON_WRITING], [OWN])

    def each_square(self, batches: Grid) -> Rows:
        """The time a square in a batch over the time of a square alone."""
        rows = {row: batches.cells.get(row, {}) for row in (OWN, ON_WRITING, "auto")}
        return {
            row: {n: each.over(cells[1]).over(n) for n, each in cells.items() if n != 1 and 1 in cells}
            for row, cells in rows.items()
        }
