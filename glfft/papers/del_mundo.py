"""del Mundo, Adhinarayanan and Feng: batches of 16 points, with each optimisation on its own and in concert."""

from __future__ import annotations

import math
from contextlib import ExitStack

from glfft.algorithms.four_by_four import LENGTH
from glfft.algorithms.storage import STORAGES
from glfft.bench.cases import Case
from glfft.papers import channelizer_stages
from glfft.papers.chapter import FASTER, SLOWER, Chapter, Conclusion, Figure, Measured, Table
from glfft.papers.del_mundo_kernels import (
    ALONE,
    BASELINE,
    BESIDE,
    BEST_IN_DOUBLE,
    BEST_NAME,
    COMPILERS,
    IN_CONCERT,
    IN_DOUBLE,
    OURS,
    ROWS,
    UNCOALESCED,
    UNIT_STRIDE,
    Images,
    Row,
    transforms,
)
from glfft.papers.grid import LIBRARIES, Grid, Point, Spread
from glfft.papers.published import DEL_MUNDO, Numbers
from glfft.papers.run import Maker, Run

BATCH = 1 << 20
QUICK_BATCH = 1 << 18
# A software renderer's caches, and its patience.
SOFTWARE_BATCH = 1 << 13

DEVICES = ("HD 5870", "HD 6970", "HD 7970")

# Of a time.
_NO_DIFFERENCE = 0.05
_ALIKE = (1 - _NO_DIFFERENCE, 1 + _NO_DIFFERENCE)
_NO_GAIN = (1 - _NO_DIFFERENCE, math.inf)
_WITHIN = f"Less than {_NO_DIFFERENCE:.0%} counts as no difference."

# What is another thing here than in the paper.
_NEIGHBOURS = "The paper does not say which points lie side by side in an access; here they follow each other."
_IMAGES = "A texel has one complex number here, and two in the paper."
_SERIES = "GLSL has no sine or cosine in double precision: here they are power series."
_CPU = "The CPU and its library are this machine's, and not FFTW with four threads on an i5-2400."

# Sections IV-B, IV-E and V.
PRELOADED = dict(zip(DEVICES, (2.7, 3.1, 2.1), strict=True))
FASTER_THAN_CPU = dict(zip(DEVICES, (4.3, 4.9, 6.6), strict=True))
VECTORS_OF_FOUR = 1.2

NUMBERS = (
    Numbers(DEL_MUNDO.line(67), (BATCH, LENGTH)),
    Numbers(DEL_MUNDO.line(126), tuple(PRELOADED.values())),
    Numbers(DEL_MUNDO.line(143), (VECTORS_OF_FOUR,)),
    Numbers(DEL_MUNDO.line(159), tuple(FASTER_THAN_CPU.values())),
)


class DelMundo(Chapter):
    """Batches in buffers and textures."""

    name = "del-mundo"
    title = "del Mundo, Adhinarayanan and Feng, Accelerating Fast Fourier Transform for Wideband Channelization"
    measures = (
        f"{BATCH} transforms of {LENGTH} points at once ({SOFTWARE_BATCH} on a software renderer), by kernels of four "
        "threads a transform with one optimisation each, and with several. The baseline computes in the memory of the "
        "target, with factors computed by each thread, in single precision; the paper's are in double precision, which "
        "is a kernel of its own here. Where a name goes on after a comma, the design is another than the paper's, but "
        "for factors in double precision."
    )
    published_on = "Radeon HD 5870, 6970 and 7970, OpenCL"
    numbers = NUMBERS

    def measure(self, run: Run) -> dict[str, Grid]:
        batch = SOFTWARE_BATCH if run.software else QUICK_BATCH if run.quick else BATCH
        case = Case((batch, LENGTH), axes=(1,), storage=STORAGES["buffer"])

        with ExitStack() as shared:
            images = Images(run, batch, shared)

            def maker(row: Row) -> Maker:
                return lambda _: transforms(run, row, images)

            rows = {row.name: maker(row) for row in ROWS}
            batches = run.time({batch: {**rows, **run.plans(case, ["auto"]), **run.libraries(case)}})
        return {"batches": batches, "channelizer": channelizer_stages.measure(run)}

    def tables(self, measured: Measured) -> list[Table]:
        grid = measured["batches"]
        over_baseline = {
            "RP": dict(PRELOADED),
            "VASM4": dict.fromkeys(DEVICES, VECTORS_OF_FOUR),
        }
        faster = {row.name: grid.ratios([BASELINE.name], [row.name]) for row in ROWS if row is not BASELINE}
        return [
            Table(
                "Alone, published",
                f"The baseline's time over that of the kernel with one optimisation, on {self.published_on} (figure 4 "
                "and sections IV-B and IV-E; other bars have no numbers).",
                "optimisation",
                over_baseline,
            ),
            Table(
                "Alone and together, here",
                "The baseline's time over that of each kernel (figures 4 and 5). RP: points preloaded into registers. "
                "LM: shared memory, for communication only (CM), for computing too (CC), for computing without a "
                "transposition (CT). CM-K and CM-L: factors in a uniform block and in constants. LU: loops unrolled. "
                "VASM: floats in one access, by four threads of a transform together; columns: by threads that have "
                "as many columns as an access has points, up to four. VAVM: that many transforms side by side, real "
                "parts in one array and imaginary parts in another; interleaved: two transforms, real and imaginary "
                "parts in turn. CGAP: points lie in memory so that neighbouring threads read neighbours; staged: they "
                "lie in lines, and go through shared memory or, alone, the target's. IM: textures. GLOB: buffers. All "
                "of figure 5 have CGAP.",
                "optimisations",
                {name: cells for name, cells in faster.items() if cells},
            ),
            Table(
                "Beside libraries, here",
                f"Times as multiples of those of {grid.reference} on the same machine; auto is glfft's own choice.",
                "kernel",
                {
                    name: cells
                    for name, cells in grid.relative(grid.reference).items()
                    if name in (BASELINE.name, BEST_NAME, "auto", *LIBRARIES)
                },
            ),
            channelizer_stages.table(measured["channelizer"]),
        ]

    def conclusions(self, measured: Measured) -> list[Conclusion]:
        grid = measured["batches"]
        cpu = [name for name in LIBRARIES if name != "cufft"]
        images, buffers = ([row.name for row in IN_CONCERT if row.name.startswith(kind)] for kind in ("IM", "GLOB"))
        others = [row.name for row in IN_CONCERT if row.name not in (BEST_NAME, BEST_NAME.replace("CM-L", "CM-K"))]
        on_cpu = "The device is a software renderer: its transforms run on the CPU too." if measured.software else ""
        faster = grid.ratios(cpu, [BEST_NAME]) if not measured.software else {}
        slower = grid.ratios(cpu, [IN_DOUBLE.name]) if not measured.software else {}

        def one(
            claim: str,
            ratio: str,
            over: list[str],
            under: list[str],
            range: tuple[float, float],
            remark: str = "",
            *,
            line: int,
            proxy: str = "",
        ) -> Conclusion:
            return Conclusion(
                claim,
                ratio,
                {},
                grid.ratios(over, under),
                range,
                points="transforms",
                remark=remark,
                places=(DEL_MUNDO.line(line),),
                proxy=proxy,
            )

        return [
            channelizer_stages.conclusion(measured["channelizer"]),
            Conclusion(
                'RP is "a substantial optimization for all platforms", of 2.1 to 3.1 times (IV-B).',
                "baseline / RP",
                PRELOADED,
                grid.ratios([BASELINE.name], ["RP"]),
                (2.0, math.inf),
                points="transforms",
                remark="It counts as substantial from twice on.",
                places=(DEL_MUNDO.line(126),),
            ),
            one(
                'Of local memory alone, "LM-CT provides the best performance" (IV-B).',
                "LM-CT / LM-CC or LM-CM",
                ["LM-CT"],
                ["LM-CC", "LM-CM"],
                FASTER,
                line=131,
            ),
            one(
                '"LM-CM performs the worst" (IV-B).',
                "LM-CM / LM-CC or LM-CT",
                ["LM-CM"],
                ["LM-CC", "LM-CT"],
                SLOWER,
                line=131,
            ),
            one(
                '"Performing computation with unit-stride (row-major) is better than stride-4 (column-major)" (IV-B).',
                "LM-CC with unit stride / with stride 4",
                [UNIT_STRIDE.name],
                ["LM-CC"],
                FASTER,
                "The paper does not show it, and does not say of which kernel it is so.",
                line=131,
            ),
            one(
                'A coalesced access pattern "does not improve performance in isolation" (IV-C).',
                "CGAP / baseline",
                ["CGAP"],
                [BASELINE.name],
                _NO_GAIN,
                _WITHIN,
                line=135,
            ),
            one(
                'Its value "does not manifest until combined with on-chip memory optimizations" (IV-C).',
                "the best set / the same without CGAP",
                [BEST_NAME],
                [UNCOALESCED.name],
                FASTER,
                line=135,
            ),
            one(
                '"No improvement was shown for LU, CSE, or IL" (IV-D).',
                "LU / baseline",
                ["LU"],
                ["baseline"],
                _NO_GAIN,
                f"{_WITHIN} Of CSE and IL nothing is tested: {COMPILERS}.",
                line=139,
            ),
            Conclusion(
                'Accesses of 16 bytes (VASM4) give "the best performance across all GPUs yielding a 1.2x performance '
                'increase" (IV-E).',
                "baseline / VASM4",
                dict.fromkeys(DEVICES, VECTORS_OF_FOUR),
                grid.ratios([BASELINE.name], ["VASM4"]),
                (1.0, math.inf),
                points="transforms",
                places=(DEL_MUNDO.line(143),),
                remark=_NEIGHBOURS,
            ),
            one(
                '"We hit a point of diminishing returns when using vector types greater than 16-bytes" (IV-E).',
                "VASM8 or 16 / VASM4",
                ["VASM8", "VASM16"],
                ["VASM4"],
                _NO_GAIN,
                f"{_WITHIN} {_NEIGHBOURS}",
                line=143,
            ),
            one(
                'A "regular global memory buffer is better than using image memory" (IV-F).',
                "the best with buffers / the best with images",
                buffers,
                images,
                FASTER,
                line=151,
                proxy=_IMAGES,
            ),
            one(
                'Constant memory gives "a significant improvement in combination" (IV-F).',
                "GLOB+RP+LM-CM with CM-K or CM-L / without",
                [BEST_NAME, BEST_NAME.replace("CM-L", "CM-K")],
                [BEST_IN_DOUBLE.name],
                FASTER,
                "Without constants, threads compute the factors in double precision, as in the paper.",
                line=151,
                proxy=_SERIES,
            ),
            one(
                'That "goes counter to the results in Figure 4", of constant memory alone (IV-F).',
                "CM-K or CM-L / baseline",
                ["CM-K", "CM-L"],
                [IN_DOUBLE.name],
                _NO_GAIN,
                f"{_WITHIN} The baseline is that with factors in double precision, as in the paper.",
                line=151,
                proxy=_SERIES,
            ),
            one(
                '"There are no differences between" CM-K and CM-L (IV-F).',
                "CM-K / CM-L in the best set",
                [BEST_NAME.replace("CM-L", "CM-K")],
                [BEST_NAME],
                _ALIKE,
                _WITHIN,
                line=151,
            ),
            one(
                f'"On all platforms, the best set of optimizations is" {BEST_NAME} (IV-F).',
                "it / the best of the others of figure 5",
                [BEST_NAME],
                others,
                (0.0, 1 + _NO_DIFFERENCE),
                f"{_WITHIN} With CM-K in place of CM-L it is not among the others.",
                line=151,
                proxy=f"He chose the set a stage at a time, and ours is set against all others of figure 5. {_IMAGES}",
            ),
            Conclusion(
                '"Our GPU baseline performs poorly compared to the CPU" (IV-G).',
                "the CPU's library / baseline",
                {},
                slower,
                FASTER,
                points="transforms",
                reason=on_cpu,
                places=(DEL_MUNDO.line(155),),
                proxy=f"{_CPU} {_SERIES}",
            ),
            Conclusion(
                "The best set outperforms FFTW with four threads on a CPU by 4.3, 4.9 and 6.6 times (III-G, V).",
                "the CPU's library / the best set",
                FASTER_THAN_CPU,
                faster,
                (1.0, math.inf),
                points="transforms",
                reason=on_cpu,
                places=(DEL_MUNDO.line(159), DEL_MUNDO.line(114)),
                proxy=_CPU,
            ),
            Conclusion(
                'CPUs "provide significantly lower performance than GPU counterparts" (IV-A, figure 6).',
                "cuFFT / the CPU's library",
                {},
                grid.ratios(["cufft"], cpu),
                FASTER,
                points="transforms",
                reason="It takes cuFFT, and there is none here.",
                places=(DEL_MUNDO.line(122),),
                proxy="The paper compares five libraries on several cards, and gives no numbers. Here there are cuFFT "
                "and the CPU's library of one machine.",
            ),
            Conclusion(
                '"Vendor libraries (CUFFT and clAMDFft) are better tuned than existing open source libraries" (IV-A).',
                "the best set / cuFFT",
                {},
                grid.ratios([BEST_NAME], ["cufft"]),
                SLOWER,
                points="transforms",
                reason="It takes cuFFT, and there is none here.",
                places=(DEL_MUNDO.line(122),),
                proxy="The open library of the paper is AppleFFT. Ours in its place is the paper's own best set.",
            ),
        ]

    def figures(self, measured: Measured) -> list[Figure]:
        grid = measured["batches"]

        def bars(rows: tuple[Row, ...]) -> dict[Point, Spread]:
            found = {row.name: grid.ratios([BASELINE.name], [row.name]) for row in rows}
            return {name: next(iter(cells.values())) for name, cells in found.items() if cells}

        here = {"alone": bars((IN_DOUBLE, UNIT_STRIDE, *ALONE, *OURS)), "in concert": bars((*IN_CONCERT, *BESIDE))}
        return [
            Figure(
                f"Optimisations {title}",
                "baseline / kernel",
                {device: {"RP": PRELOADED[device], "VASM4": VECTORS_OF_FOUR} for device in DEVICES}
                if title == "alone"
                else {},
                {"here": cells},
                points="optimisations",
            )
            for title, cells in here.items()
            if cells
        ]
