"""Mota, High Performance Fourier Transforms on GPUs: figures 12 to 16 and table 2."""

from contextlib import ExitStack
from functools import partial
from typing import ClassVar

from glfft.apps.bench.cpu import REFERENCES
from glfft.apps.bench.frames import Frame, Runs
from glfft.apps.bench.own import ocean
from glfft.apps.bench.peers import open_peers
from glfft.apps.bench.suite import TRANSFORMS_A_TILE, Case, OceanCase
from glfft.apps.bench.workload import held
from glfft.apps.papers.chapter import Chapter, Rows
from glfft.apps.papers.claims import Grid, Measured, Point, Spread
from glfft.apps.papers.cuda import SINGLE_PASS, cuda_peers
from glfft.apps.papers.measuring import Maker, Run, check_snr
from glfft.profiling.timing import Subject

STAGES, NATURAL, SINGLE = "cooley-tukey-stages", "natural-order-stages", "cooley-tukey"
RADIX_2, RADIX_4 = "stockham-radix2", "stockham-radix4"
# These go through two images, as in the thesis. The ones above keep a line in shared memory.
IMAGES_SINGLE, IMAGES_RADIX_2, IMAGES_RADIX_4 = (f"ping-pong-{name}" for name in (SINGLE, RADIX_2, RADIX_4))
FRAMES = (STAGES, IMAGES_SINGLE, IMAGES_RADIX_2, IMAGES_RADIX_4, SINGLE, RADIX_2, RADIX_4, "auto")
_ALGORITHMS = (STAGES, NATURAL, IMAGES_SINGLE, IMAGES_RADIX_2, IMAGES_RADIX_4, SINGLE, RADIX_2, RADIX_4, "auto")

# The thesis's own work groups. Their rows have factors by sine and cosine, as its listings do.
_LISTED = ("cooley-tukey-stages-4x8", "natural-order-stages-4x8", IMAGES_SINGLE, IMAGES_RADIX_2, IMAGES_RADIX_4)
LISTED_STAGES, _, LISTED_SINGLE, LISTED_RADIX_2, LISTED_RADIX_4 = (f"{name}, computed" for name in _LISTED)

BOTH = {  # the same algorithm on images and in shared memory
    "Cooley-Tukey": (IMAGES_SINGLE, SINGLE),
    "Stockham, radix 2": (IMAGES_RADIX_2, RADIX_2),
    "Stockham, radix 4": (IMAGES_RADIX_4, RADIX_4),
}

SIDES, QUICK_SIDES = (128, 256, 512, 1024), (128, 512)
# Sides of the sea in a frame. A CPU takes seconds for larger ones.
FRAME_SIDES, SOFTWARE_FRAME_SIDES, QUICK_FRAME_SIDES = (256, 512, 1024), (256, 512), (256,)
LENGTHS, QUICK_LENGTHS = (128, 256, 512, 1024, 2048), (128, 1024)


class Mota(Chapter):
    name = "mota"
    groups: ClassVar = {"algorithms": _ALGORITHMS}

    def measure(self, run: Run) -> dict[str, Grid]:
        sides, lengths = (QUICK_SIDES, QUICK_LENGTHS) if run.quick else (SIDES, LENGTHS)
        textbook = open_peers(list(REFERENCES)).libraries
        cuda = cuda_peers(SINGLE_PASS)

        def squares(side: int) -> dict[str, Maker]:
            case = Case((side, side))
            listed = {f"{name}, computed": run.plan(case, name, twiddles="computed") for name in _LISTED}
            return {**run.plans(case, _ALGORITHMS), **listed, **run.contenders(case, [*cuda, *run.peers])}

        of_frames = QUICK_FRAME_SIDES if run.quick else SOFTWARE_FRAME_SIDES if run.software else FRAME_SIDES
        frames = {side: {each: partial(_frame, run, side, each) for each in FRAMES} for side in of_frames}
        return {
            "2-D": run.time({side: squares(side) for side in sides}),
            "frames": run.time(frames),
            "table 2": run.time({n: run.contenders(Case((1, n), axes=(1,)), textbook) for n in lengths}),
        }

    def words(self, measured: Measured) -> dict[str, str]:
        has_cuda = any(self.glsl_over_cuda(measured["2-D"]).values())
        ours = "Ours are in the table." if has_cuda else "Here none was measured in CUDA."
        return {**super().words(measured), "ours": ours}

    def images_over_shared(self, measured: Measured) -> Rows:
        return {
            f"{name}{ending}": measured[grid].ratios([images], [shared])
            for grid, ending in (("2-D", ""), ("frames", ", a frame"))
            for name, (images, shared) in BOTH.items()
        }

    def glsl_over_cuda(self, squares: Grid) -> Rows:
        return {row: squares.ratios([row], [f"{row}, CUDA"]) for row in SINGLE_PASS}

    def slowest(self, lines: Grid) -> dict[Point, Spread]:
        """The slowest of the fast transforms over the direct one."""
        columns = lines.columns(("dft", "dit", "dif", "recursive")).items()
        ratios = {point: [each.over(dft) for each in fast] for point, (dft, *fast) in columns}
        return {point: max(each, key=lambda ratio: ratio.middle) for point, each in ratios.items()}

    def halfway(self, squares: Grid) -> dict[Point, Spread]:
        """Radix 4 over the mean of radix 2 and cuFFT: below 1, it has come more than half of the way."""
        columns = squares.columns((LISTED_RADIX_4, LISTED_RADIX_2, "cufft")).items()
        return {n: four.over(two.plus(cufft)).over(0.5) for n, (four, two, cufft) in columns}


def _frame(run: Run, side: int, algorithm: str, stack: ExitStack) -> Subject:
    sea = held(stack, ocean(run.timer, OceanCase((side, side), TRANSFORMS_A_TILE, half=True), algorithm))
    check_snr(f"The ocean by {algorithm}", sea.snr_db(), sea.floor_db)
    return Runs(Frame(sea.run, run.ctx.finish).free_running)
