"""del Mundo, Adhinarayanan and Feng: batches of 16 points, with each optimisation on its own and in concert."""

from __future__ import annotations

import math
from contextlib import ExitStack
from dataclasses import dataclass, replace

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.accuracy import floor_db, random_complex, snr_db
from glfft.algorithms.four_by_four import BEST, LENGTH, FourByFour, FourByFourConfig
from glfft.algorithms.passes import AxisRequest
from glfft.algorithms.storage import STORAGES, Storage
from glfft.bench.cases import Case
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import Image, ImageSpec
from glfft.engine.request import FORWARD, PlanRequest
from glfft.errors import AccuracyError
from glfft.gl.barriers import BUFFER_UPDATE_BARRIER, SHADER_STORAGE_BARRIER, TEXTURE_FETCH_BARRIER
from glfft.gl.context import state_of
from glfft.papers.chapter import FASTER, SLOWER, Chapter, Conclusion, Figure, Measured, Table
from glfft.papers.grid import LIBRARIES, Grid, Point, Spread
from glfft.papers.published import DEL_MUNDO, Numbers
from glfft.papers.run import Maker, Run, Skipped
from glfft.tuning.timing import Subject

BATCH = 1 << 20
QUICK_BATCH = 1 << 18
# A software renderer's caches, and its patience.
SOFTWARE_BATCH = 1 << 13

DEVICES = ("HD 5870", "HD 6970", "HD 7970")

# Factors that drivers compute are about 1e-6 off.
_COMPUTED_LOSS_DB = 30.0

# Rows that are checked of each result.
_CHECKED = 1 << 10

# Of a time.
_NO_DIFFERENCE = 0.05
_ALIKE = (1 - _NO_DIFFERENCE, 1 + _NO_DIFFERENCE)
_NO_GAIN = (1 - _NO_DIFFERENCE, math.inf)
_WITHIN = f"Less than {_NO_DIFFERENCE:.0%} counts as no difference."

# What is another thing here than in the paper.
_COMPILERS = "GLSL has no way to keep a compiler from doing it to any kernel"
_VASM = "From VASM4 on, a thread takes more than one column of a transform here; in the paper it is one."
_IMAGES = "A texel has one complex number here, and two in the paper."
_SINGLE = "Factors that a thread computes are in single precision here, and in double precision in the paper."
_CGAP = "Coalesced accesses go through shared or the target's memory here; in the paper the data lies in that order."
_CPU = "The CPU and its library are this machine's, and not FFTW with four threads on an i5-2400."


@dataclass(frozen=True)
class Row:
    """A bar of figure 4 or 5.

    Attributes:
        name: the paper's abbreviations.
        config: the kernel; None where there can be none here.
        storage: what holds the points.
        reason: why there is none, as the end of a sentence that begins with the name.
    """

    name: str
    config: FourByFourConfig | None = None
    storage: str = "buffer"
    reason: str = ""


BASELINE = Row("baseline", FourByFourConfig())

_NO_VECTOR = "GLSL has no vectors of more than four floats to compute with"

# Figure 4.
ALONE = (
    Row("RP", FourByFourConfig(preload=True)),
    Row("LM-CT", FourByFourConfig(local_memory="computation, no transpose")),
    Row("LM-CC", FourByFourConfig(local_memory="computation and communication")),
    Row("LM-CM", FourByFourConfig(local_memory="communication")),
    Row("CM-K", FourByFourConfig(twiddles="argument")),
    Row("CM-L", FourByFourConfig(twiddles="literal")),
    Row("CGAP", FourByFourConfig(coalesced=True)),
    Row("LU", FourByFourConfig(unrolled=True)),
    Row("CSE", reason=_COMPILERS),
    Row("IL", reason=_COMPILERS),
    *(Row(f"VASM{width}", FourByFourConfig(width=width)) for width in (4, 8, 16)),
    Row("VAVM4", FourByFourConfig(width=4), "buffer4"),
    *(Row(f"VAVM{width}", reason=_NO_VECTOR) for width in (8, 16)),
)


def _concert() -> tuple[Row, ...]:
    """Figure 5: memory, what is done with local memory, and constants."""
    memories = {"IM": "rg32f", "GLOB": "buffer"}
    locals_ = {
        "RP+LM-CM": FourByFourConfig(True, "communication", coalesced=True),
        "LM-CC": FourByFourConfig(local_memory="computation and communication", coalesced=True),
        "LM-CT": FourByFourConfig(local_memory="computation, no transpose", coalesced=True),
    }
    constants = {"": "computed", "+CM-K": "argument", "+CM-L": "literal"}
    return tuple(
        Row(f"{memory}+{local}{constant}", replace(config, twiddles=place), storage)
        for memory, storage in memories.items()
        for local, config in locals_.items()
        for constant, place in constants.items()
    )


IN_CONCERT = _concert()
BEST_NAME = "GLOB+RP+LM-CM+CM-L"
# The best of figure 5 with wider accesses, which the figure does not have.
WIDER = tuple(Row(f"{BEST_NAME}, VASM{width}", replace(BEST, width=width)) for width in (4, 8, 16))

# What coalesced accesses are worth in it.
UNCOALESCED = Row(f"{BEST_NAME}, no CGAP", replace(BEST, coalesced=False))

ROWS = (BASELINE, *ALONE, *IN_CONCERT, *WIDER, UNCOALESCED)

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
        "target, with factors computed by each thread, in single precision; the paper's are in double precision. An "
        "image has one complex number a texel here, and two in the paper."
    )
    published_on = "Radeon HD 5870, 6970 and 7970, OpenCL"
    numbers = NUMBERS

    def measure(self, run: Run) -> dict[str, Grid]:
        batch = SOFTWARE_BATCH if run.software else QUICK_BATCH if run.quick else BATCH
        case = Case((batch, LENGTH), axes=(1,), storage=STORAGES["buffer"])

        with ExitStack() as shared:
            images = _Images(run, batch, shared)

            def maker(row: Row) -> Maker:
                return lambda stack: _transforms(run, row, images, stack)

            rows = {row.name: maker(row) for row in ROWS}
            return {"batches": run.time({batch: {**rows, **run.plans(case, ["auto"]), **run.libraries(case)}})}

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
                "VASM: floats in one access. VAVM4: two transforms side by side in vectors, "
                "where the paper keeps real and imaginary parts apart. IM: textures. GLOB: "
                "buffers. All of figure 5 have coalesced accesses (CGAP); alone, these go through the target's memory.",
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
        ]

    def conclusions(self, measured: Measured) -> list[Conclusion]:
        grid = measured["batches"]
        cpu = [name for name in LIBRARIES if name != "cufft"]
        images, buffers = ([row.name for row in IN_CONCERT if row.name.startswith(kind)] for kind in ("IM", "GLOB"))
        others = [row.name for row in IN_CONCERT if row.name not in (BEST_NAME, BEST_NAME.replace("CM-L", "CM-K"))]
        on_cpu = "The device is a software renderer: its transforms run on the CPU too."
        faster = grid.ratios(cpu, [BEST_NAME]) if not measured.software else {}
        slower = grid.ratios(cpu, [BASELINE.name]) if not measured.software else {}

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
            Conclusion(
                '"As the channel size increases, the FFT dominates the overall execution", of a channelizer (I).',
                "time of the transforms / of the channelizer",
                reason="The figure has no numbers, and a channelizer's stages are not measured in this chapter.",
                places=(DEL_MUNDO.line(28),),
            ),
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
            Conclusion(
                '"Performing computation with unit-stride (row-major) is better than stride-4 (column-major)" (IV-B).',
                "unit stride / stride 4 in local memory",
                reason="The paper does not show it, and the kernels here compute in one order only.",
                places=(DEL_MUNDO.line(131),),
            ),
            one(
                'A coalesced access pattern "does not improve performance in isolation" (IV-C).',
                "CGAP / baseline",
                ["CGAP"],
                [BASELINE.name],
                _NO_GAIN,
                _WITHIN,
                line=135,
                proxy=_CGAP,
            ),
            one(
                'Its value "does not manifest until combined with on-chip memory optimizations" (IV-C).',
                "the best set / the same without CGAP",
                [BEST_NAME],
                [UNCOALESCED.name],
                FASTER,
                line=135,
                proxy=_CGAP,
            ),
            one(
                '"No improvement was shown for LU, CSE, or IL" (IV-D).',
                "LU / baseline",
                ["LU"],
                ["baseline"],
                _NO_GAIN,
                f"{_WITHIN} Of CSE and IL nothing is tested: {_COMPILERS}.",
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
                proxy=_VASM,
            ),
            one(
                '"We hit a point of diminishing returns when using vector types greater than 16-bytes" (IV-E).',
                "VASM8 or 16 / VASM4",
                ["VASM8", "VASM16"],
                ["VASM4"],
                _NO_GAIN,
                _WITHIN,
                line=143,
                proxy=_VASM,
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
                ["GLOB+RP+LM-CM"],
                FASTER,
                line=151,
                proxy=_SINGLE,
            ),
            one(
                'That "goes counter to the results in Figure 4", of constant memory alone (IV-F).',
                "CM-K or CM-L / baseline",
                ["CM-K", "CM-L"],
                [BASELINE.name],
                _NO_GAIN,
                _WITHIN,
                line=151,
                proxy=_SINGLE,
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
                proxy=f"{_CPU} {_SINGLE}",
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

        here = {"alone": bars(ALONE), "in concert": bars((*IN_CONCERT, *WIDER, UNCOALESCED))}
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


class _Images:
    """Source, target and points of each storage, which all rows share: at 2^20 transforms each is 128 MiB."""

    def __init__(self, run: Run, batch: int, stack: ExitStack) -> None:
        self._run = run
        self._batch = batch
        self._stack = stack
        self._blanks: dict[str, moderngl.Buffer] = {}
        self._made: dict[str, tuple[Image, Image, npt.NDArray[np.complex64]]] = {}

    def lines(self, storage: Storage) -> tuple[int, int | None]:
        """Lines of a layer, and layers: where textures are shorter, there are several."""
        lines = self._batch // (storage.components // 2)
        most = state_of(self._run.ctx).limits.texture_size
        return (lines, None) if storage.buffer or lines <= most else (most, lines // most)

    def of(self, storage: Storage) -> tuple[Image, Image, npt.NDArray[np.complex64]]:
        """Source, target, and the last points of the source, [lines, points, numbers of a texel]."""
        if storage.name not in self._made:
            lines, layers = self.lines(storage)
            spec = ImageSpec(self._run.ctx, (lines, LENGTH), layers, storage)
            source = spec.make()
            self._stack.callback(source.release)
            target = spec.make()
            self._stack.callback(target.release)
            points = random_complex((self._batch, LENGTH)).reshape(-1, storage.components // 2, LENGTH)
            # Two transforms side by side.
            points = np.ascontiguousarray(points.swapaxes(1, 2))
            source.write(points.tobytes())
            self._made[storage.name] = source, target, points[-_CHECKED:].copy()
        return self._made[storage.name]

    def blank(self, storage: Storage) -> None:
        """Fill the target with NaN: the row before has left the right results there."""
        _, target, _ = self.of(storage)
        if isinstance(target, moderngl.Buffer):
            if storage.name not in self._blanks:
                blank = self._run.ctx.buffer(np.full(target.size // 4, np.nan, np.float32).tobytes())
                self._stack.callback(blank.release)
                self._blanks[storage.name] = blank
            # Not Buffer.clear, which goes through the host's memory, as reading does.
            self._run.ctx.copy_buffer(target, self._blanks[storage.name])
        else:
            target.write(np.full(self._batch * LENGTH * 2, np.nan, np.float32).tobytes())


def _transforms(run: Run, row: Row, images: _Images, stack: ExitStack) -> Subject:
    """A row's transforms, checked once."""
    if row.config is None:
        raise Skipped(row.reason)
    ctx, family, storage = run.ctx, FourByFour(), STORAGES[row.storage]
    device = state_of(ctx).device
    lines, layers = images.lines(storage)
    PlanRequest((lines, LENGTH), (1,), family.name, layers=layers, storage=storage).check_limits(device)
    computed = row.config.twiddles == "computed"
    wanted = AxisRequest((lines, LENGTH), 1, FORWARD, 1.0, computed, layers, storage, device, family.name)
    reason = family.supports(wanted)
    if reason is not None:
        raise Skipped(f"it would need {reason}")
    if not family.fits(row.config, wanted):
        raise Skipped("the device or the storage does not have what it needs")
    (spec,) = family.passes(wanted, row.config)
    compiled = CompiledPass(ctx, spec)
    source, target, checked = images.of(storage)
    barrier = SHADER_STORAGE_BARRIER if storage.buffer else TEXTURE_FETCH_BARRIER

    def transforms() -> None:
        compiled.run(source, target)
        ctx.memory_barrier(barrier)

    images.blank(storage)
    transforms()
    ctx.memory_barrier()
    found = snr_db(_last(run, target, checked.nbytes, stack), np.fft.fft(checked.astype(np.complex128), axis=1).ravel())
    if found < floor_db(LENGTH, storage, 1) - (_COMPUTED_LOSS_DB if computed else 0.0):
        raise AccuracyError(f"{row.name} is wrong: {found:.1f} dB.")
    return run.timer.subject(transforms)


def _last(run: Run, image: Image, size: int, stack: ExitStack) -> npt.NDArray[np.complex64]:
    """The last numbers of an image, through a copy: some drivers move a buffer that is read to the host's memory."""
    if isinstance(image, moderngl.Buffer):
        copy = run.ctx.buffer(reserve=size)
        stack.callback(copy.release)
        run.ctx.memory_barrier(BUFFER_UPDATE_BARRIER)
        run.ctx.copy_buffer(copy, image, size, read_offset=image.size - size)
        return np.frombuffer(copy.read(), np.complex64)
    return np.frombuffer(image.read(), np.complex64)[-(size // 8) :]
