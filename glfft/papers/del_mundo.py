"""del Mundo, Adhinarayanan and Feng: batches of 16 points, with each optimisation on its own and in concert."""

from __future__ import annotations

from contextlib import ExitStack

from glfft.algorithms.four_by_four import LENGTH
from glfft.algorithms.storage import STORAGES
from glfft.bench.cases import Case
from glfft.papers import channelizer_stages, del_mundo_claims
from glfft.papers.chapter import Chapter, Conclusion, Figure, Measured, Table
from glfft.papers.del_mundo_claims import DEVICES, FASTER_THAN_CPU, PRELOADED, VECTORS_OF_FOUR
from glfft.papers.del_mundo_kernels import (
    ALONE,
    BASELINE,
    BESIDE,
    BEST_NAME,
    IN_CONCERT,
    IN_DOUBLE,
    OURS,
    ROWS,
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
# This fits the caches of a CPU, and takes a software renderer seconds.
SOFTWARE_BATCH = 1 << 13

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
        return del_mundo_claims.conclusions(measured)

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
