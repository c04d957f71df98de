"""Mota, High Performance Fourier Transforms on GPUs: figures 12 to 16 and table 2."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack

from glfft.bench.cases import TRANSFORMS_A_TILE, Case, OceanCase
from glfft.bench.frames import OwnFrame, free_running
from glfft.bench.ocean import Ocean
from glfft.bench.peers import open_peers
from glfft.bench.reference import REFERENCES
from glfft.errors import AccuracyError, GlfftError
from glfft.papers.chapter import Chapter, Conclusion, Figure, Measured, Table
from glfft.papers.cuda import SINGLE_PASS, CudaSinglePass
from glfft.papers.grid import Grid, Point, Spread
from glfft.papers.published import MOTA, Numbers
from glfft.papers.run import Maker, Run
from glfft.tuning.timing import Subject

STAGES, NATURAL, SINGLE = "cooley-tukey-stages", "natural-order-stages", "cooley-tukey"
RADIX_2, RADIX_4 = "stockham-radix2", "stockham-radix4"
# These go through two images, as in the thesis. The ones above keep a line in shared memory.
IMAGES_SINGLE, IMAGES_RADIX_2, IMAGES_RADIX_4 = (
    "ping-pong-cooley-tukey",
    "ping-pong-stockham-radix2",
    "ping-pong-stockham-radix4",
)
FRAMES = (STAGES, IMAGES_SINGLE, IMAGES_RADIX_2, IMAGES_RADIX_4, SINGLE, RADIX_2, RADIX_4, "auto")
_ALGORITHMS = (STAGES, NATURAL, IMAGES_SINGLE, IMAGES_RADIX_2, IMAGES_RADIX_4, SINGLE, RADIX_2, RADIX_4, "auto")


def as_listed(algorithm: str) -> str:
    """The row of an algorithm with factors by sine and cosine, as the listings have them."""
    return f"{algorithm}, computed"


# The thesis's own work groups, with factors computed as in its listings.
_LISTED = ("cooley-tukey-stages-4x8", "natural-order-stages-4x8", IMAGES_SINGLE, IMAGES_RADIX_2, IMAGES_RADIX_4)
LISTED_STAGES, LISTED_NATURAL, LISTED_SINGLE, LISTED_RADIX_2, LISTED_RADIX_4 = map(as_listed, _LISTED)

# The same algorithm on images and in shared memory.
BOTH = {
    "Cooley-Tukey": (IMAGES_SINGLE, SINGLE),
    "Stockham, radix 2": (IMAGES_RADIX_2, RADIX_2),
    "Stockham, radix 4": (IMAGES_RADIX_4, RADIX_4),
}

SIDES = (128, 256, 512, 1024)
QUICK_SIDES = (128, 512)
# Sides of the sea in a frame. A CPU takes seconds for larger ones.
FRAME_SIDES = (256, 512, 1024)
QUICK_FRAME_SIDES = (256,)
SOFTWARE_FRAME_SIDES = (256, 512)
LENGTHS = (128, 256, 512, 1024, 2048)
QUICK_LENGTHS = (128, 1024)

# Table 2: milliseconds of a forward and an inverse transform on a CPU.
TABLE_2 = {
    "dft": (5.16593, 17.2782, 70.5689, 293.104, 1246.44),
    "dit": (0.169113, 0.37668, 0.86415, 1.8793, 4.47742),
    "dif": (0.159458, 0.378722, 0.881921, 1.90661, 4.13369),
    "recursive": (0.210895, 0.485643, 1.4421, 2.32922, 5.1178),
}

NUMBERS = tuple(Numbers(MOTA.line(468 + place), times) for place, times in enumerate(TABLE_2.values()))

PUBLISHED = Grid(
    {
        (row, n): Spread(time, time, time)
        for row, times in TABLE_2.items()
        for n, time in zip(LENGTHS, times, strict=True)
    }
)


class Mota(Chapter):
    """Squares in textures, and lines on the CPU."""

    name = "mota"
    title = "Mota, High Performance Fourier Transforms on GPUs (2022)"
    measures = (
        "Forward transforms of squares from one texture to another, the first one not counted: with stages that go "
        "from image to image, by the thesis' work groups and computed factors and by ours with a table, and with lines "
        "in shared memory; where there is CUDA, also by CUDA from one array to another. Frames of the ocean's step, "
        "by the wall clock. And the four transforms of table 2 on the CPU, one forward transform of a line each, by "
        "array operations of numpy."
    )
    published_on = "GeForce GTX 1050 Ti Max-Q"
    numbers = NUMBERS

    def measure(self, run: Run) -> dict[str, Grid]:
        sides, lengths = (QUICK_SIDES, QUICK_LENGTHS) if run.quick else (SIDES, LENGTHS)
        textbook = open_peers(list(REFERENCES)).libraries
        cuda = _cuda()

        def squares(side: int) -> dict[str, Maker]:
            case = Case((side, side))
            listed = {as_listed(each): run.plan(case, each, twiddles="computed") for each in _LISTED}
            plans = {**run.plans(case, _ALGORITHMS), **listed}
            return {**plans, **run.contenders(case, cuda), **run.libraries(case)}

        of_frames = QUICK_FRAME_SIDES if run.quick else SOFTWARE_FRAME_SIDES if run.software else FRAME_SIDES
        return {
            "2-D": run.time({side: squares(side) for side in sides}),
            "frames": run.time({side: {each: _frame(run, side, each) for each in FRAMES} for side in of_frames}),
            "table 2": run.time({n: run.contenders(Case((1, n), axes=(1,)), textbook) for n in lengths}),
        }

    def tables(self, measured: Measured) -> list[Table]:
        squares, frames, lines = measured["2-D"], measured["frames"], measured["table 2"]
        return [
            Table(
                "Squares here (figures 12 to 16)",
                f"Times as multiples of those of {squares.reference_name} on the same machine. The thesis shows its "
                "own in plots, without numbers.",
                "side",
                squares.relative(squares.reference),
            ),
            Table(
                "What shared memory gains over images on ping-pong, here",
                "Times of a single pass on two images as multiples of those of the same algorithm with the line in "
                "shared memory, both with factors from a table: of squares, and of a whole frame of the ocean's step.",
                "side",
                _images_over_shared(squares, frames),
            ),
            Table(
                "Frames of the ocean's step here (figure 12)",
                "Times of frames of one tile of sea, by the wall clock and without waiting for each, as multiples of "
                "those with glfft's own choice (auto).",
                "side",
                frames.relative("auto"),
            ),
            *_beside_cuda(squares),
            Table(
                "Table 2, published",
                "Milliseconds of a forward and an inverse transform, on a CPU that the thesis does not name there.",
                "length",
                {row: dict(zip(LENGTHS, times, strict=True)) for row, times in TABLE_2.items()},
            ),
            Table("Table 2, here", "Times as multiples of the direct transform's.", "length", lines.relative("dft")),
        ]

    def conclusions(self, measured: Measured) -> list[Conclusion]:
        squares = measured["2-D"]
        return [
            *_passes(squares, measured["frames"]),
            *_orders_and_radices(squares),
            _cuda_and_glsl(squares),
            *_on_the_cpu(measured["table 2"]),
        ]

    def figures(self, measured: Measured) -> list[Figure]:
        squares = measured["2-D"]
        return [
            Figure(
                "All of Mota's transforms, and glfft's own choice (auto)",
                f"time / {squares.reference_name}'s",
                {},
                {row: squares.ratios([row], [squares.reference or ""]) for row in _ALGORITHMS},
                points="side",
            ),
            Figure(
                "What shared memory gains over images on ping-pong",
                "images / shared memory",
                {},
                _images_over_shared(squares, measured["frames"]),
                points="side",
            ),
            Figure(
                "The same algorithms in GLSL and in CUDA", "GLSL / CUDA", {}, _glsl_over_cuda(squares), points="side"
            ),
        ]


def _passes(squares: Grid, frames: Grid) -> list[Conclusion]:
    """Section 6.2, figure 12: a pass for each stage against a single pass."""
    return [
        Conclusion(
            'A pass for each stage "introduces a lot of runtime overhead in between stages" (6.2, figure 12).',
            "single pass / a pass for each stage, Cooley-Tukey on two images",
            {},
            squares.ratios([LISTED_SINGLE], [LISTED_STAGES]),
            points="side",
            places=(MOTA.line(887),),
        ),
        Conclusion(
            'The same in "a real time application" (6.2, figure 12).',
            "frame time with a single pass / with a pass for each stage, Cooley-Tukey on two images",
            {},
            frames.ratios([IMAGES_SINGLE], [STAGES]),
            points="side",
            places=(MOTA.line(887),),
            proxy="The thesis does not describe its frame; ours is a step of the ocean, with factors from a table.",
        ),
    ]


def _orders_and_radices(squares: Grid) -> list[Conclusion]:
    """Figures 13 and 14: Cooley-Tukey, Stockham, radix 2 and 4, and cuFFT."""
    return [
        Conclusion(
            'Stockham\'s transform of radix 2 "has overall better performance" than Cooley-Tukey (figure 13).',
            "Stockham / Cooley-Tukey, radix 2 in a single pass on two images",
            {},
            squares.ratios([LISTED_RADIX_2], [LISTED_SINGLE]),
            points="side",
            places=(MOTA.line(891),),
        ),
        Conclusion(
            '"The radix-4 version of the Stockham algorithm outperform[s] radix-2" (figure 14).',
            "radix 4 / radix 2, on two images",
            {},
            squares.ratios([LISTED_RADIX_4], [LISTED_RADIX_2]),
            points="side",
            places=(MOTA.line(896),),
        ),
        Conclusion(
            'Radix 4 comes "halfway close to the cuFFT" (figure 14).',
            "radix 4 on two images / the mean of radix 2 and cuFFT",
            {},
            _halfway(squares),
            points="side",
            reason=squares.why_without("cufft"),
            places=(MOTA.line(896),),
        ),
    ]


def _cuda_and_glsl(squares: Grid) -> Conclusion:
    """Figures 15 and 16: the same algorithms in two languages."""
    no_words = "The thesis has plots, without numbers, and draws no conclusion from them."
    ours = "Ours are in the table." if _glsl_over_cuda(squares) else "Here none was measured in CUDA."
    return Conclusion(
        "The same algorithms in CUDA and in GLSL (figures 15 and 16).",
        "GLSL / CUDA",
        reason=f"{no_words} {ours}",
        places=(MOTA.lines(134, 136),),
    )


def _on_the_cpu(lines: Grid) -> list[Conclusion]:
    """Table 2: transforms of lines on the CPU."""
    return [
        Conclusion(
            '"All FFT variants perform critically better than the original formulation" (table 2).',
            "the slowest of the three / direct",
            _middles(_slowest(PUBLISHED)),
            _slowest(lines),
            places=(MOTA.line(475),),
            proxy=_NUMPY,
        ),
        Conclusion(
            '"The DIT and DIF algorithms overrule the other alternatives for every sized input" (table 2).',
            "iterative / recursive",
            _middles(PUBLISHED.ratios(["dit", "dif"], ["recursive"])),
            lines.ratios(["dit", "dif"], ["recursive"]),
            places=(MOTA.line(479),),
            proxy=_NUMPY,
        ),
    ]


def _frame(run: Run, side: int, algorithm: str) -> Maker:
    """A frame that computes one tile of the sea, as a row."""

    def make(stack: ExitStack) -> Subject:
        ocean = Ocean(run.timer, OceanCase((side, side), TRANSFORMS_A_TILE, half=True), algorithm)
        stack.callback(ocean.release)
        found = ocean.snr_db()
        if found < ocean.floor_db:
            raise AccuracyError(
                f"The ocean by {algorithm} is wrong: {found:.1f} dB, not at least {ocean.floor_db:.1f}."
            )
        return free_running(OwnFrame(run.ctx, ocean.run, found))

    return make


def _images_over_shared(squares: Grid, frames: Grid) -> dict[str, Mapping[Point, Spread]]:
    """Times on two images over those in shared memory."""
    found = {name: squares.ratios([images], [shared]) for name, (images, shared) in BOTH.items()}
    found |= {f"{name}, a frame": frames.ratios([images], [shared]) for name, (images, shared) in BOTH.items()}
    return {name: ratios for name, ratios in found.items() if ratios}


def _cuda() -> list[CudaSinglePass]:
    """The thesis's single-pass transforms in CUDA, where there are CuPy and a GPU for it."""
    try:
        return [CudaSinglePass(algorithm) for algorithm in SINGLE_PASS]
    except GlfftError:
        return []


def _beside_cuda(squares: Grid) -> list[Table]:
    ratios = _glsl_over_cuda(squares)
    table = Table(
        "CUDA and GLSL here (figures 15 and 16)",
        "Times in GLSL as multiples of those in CUDA of the same algorithm, with as many dispatches and threads; "
        "textures in GLSL, arrays in CUDA.",
        "side",
        ratios,
    )
    return [table] if ratios else []


def _glsl_over_cuda(squares: Grid) -> dict[str, Mapping[Point, Spread]]:
    found = {row: squares.ratios([row], [f"{row}, CUDA"]) for row in SINGLE_PASS}
    return {row: ratios for row, ratios in found.items() if ratios}


_NUMPY = "Ours are array operations of numpy: a stage is a few calls, and the recursive one makes calls for every part."


def _slowest(lines: Grid) -> dict[Point, Spread]:
    """The slowest of the fast transforms over the direct one."""
    each = [lines.ratios([row], ["dft"]) for row in ("dit", "dif", "recursive")]
    points = [point for point in lines.points if all(point in ratios for ratios in each)]
    return {point: max((ratios[point] for ratios in each), key=lambda ratio: ratio.middle) for point in points}


def _middles(ratios: Mapping[Point, Spread]) -> dict[Point, float]:
    return {point: ratio.middle for point, ratio in ratios.items()}


def _halfway(squares: Grid) -> dict[Point, Spread]:
    """Radix 4 over the mean of radix 2 and cuFFT: below 1, it has come more than half of the way."""
    found = {}
    for point in squares.points:
        four, two, cufft = (squares.values.get((row, point)) for row in (LISTED_RADIX_4, LISTED_RADIX_2, "cufft"))
        if four is not None and two is not None and cufft is not None:
            found[point] = four.over(two.mean(cufft))
    return found
