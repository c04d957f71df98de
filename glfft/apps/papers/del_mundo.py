"""del Mundo, Adhinarayanan and Feng: batches of 16 points, with each optimisation on its own and in concert.

Kernels are rows of his figures, in the layouts of sections III-C and III-F; the names of ours say what differs.
"""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.storage import STORAGES, Storage
from glfft.algorithms.study.four_by_four import BEST, LENGTH, FourByFour, FourByFourConfig
from glfft.apps.bench.suite import Case
from glfft.apps.bench.workload import held, read_copy
from glfft.apps.papers import channelizer_stages
from glfft.apps.papers.chapter import Chapter, Rows
from glfft.apps.papers.claims import LIBRARIES, Grid, Measured
from glfft.apps.papers.measuring import Maker, Run, check_snr
from glfft.apps.signal_to_noise import COMPUTED_LOSS_DB, floor_db, random_complex, snr_db
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import Image, ImageSpec
from glfft.engine.request import FORWARD, PlanRequest
from glfft.errors import LimitError
from glfft.gl.barriers import SHADER_STORAGE_BARRIER, TEXTURE_FETCH_BARRIER
from glfft.gl.context import state_of
from glfft.profiling.timing import Subject

_GROUP = 16  # lines of a work group
_CHECKED = 1 << 10  # transforms of each result that are checked
BATCH, QUICK_BATCH = 1 << 20, 1 << 18
SOFTWARE_BATCH = 1 << 13  # this fits the caches of a CPU, and takes a software renderer seconds


@dataclass(frozen=True)
class Row:
    """A bar of figure 4 or 5."""

    name: str  # the paper's abbreviations, and what is another design than the paper's
    config: FourByFourConfig  # the kernel
    storage: str = "buffer"  # what holds the points

    @property
    def values(self) -> Storage:
        return STORAGES[self.storage]

    @property
    def transforms_a_line(self) -> int:
        """The number of transforms whose points lie side by side, in a texel or in vectors."""
        return self.config.lines_a_value * (self.values.components // 2)

    def numbers(self, points: npt.NDArray[np.complex64]) -> npt.NDArray[np.float32]:
        """The numbers of an image with these points [transforms, 16] of full work groups, in order."""
        if self.values.paired:
            points = points.reshape(-1, 2, LENGTH).swapaxes(1, 2)
        elif self.config.layout == "groups":
            points = points.reshape(-1, _GROUP, 4, 4).swapaxes(1, 2)  # the axes are group, line, row and column
        elif self.config.layout == "planar":
            side_by_side = points.reshape(-1, self.config.width, LENGTH).swapaxes(1, 2)
            return np.concatenate([side_by_side.real.ravel(), side_by_side.imag.ravel()])
        return np.ascontiguousarray(points).view(np.float32).ravel()

    def points(self, numbers: npt.NDArray[np.float32]) -> npt.NDArray[np.complex64]:
        """The points [transforms, 16] of such an image with at most 2^24 numbers, which float32 can count."""
        counted = np.arange(numbers.size, dtype=np.float32).view(np.complex64).reshape(-1, LENGTH)
        points = np.empty_like(numbers)
        points[self.numbers(counted).astype(np.intp)] = numbers
        return points.view(np.complex64).reshape(-1, LENGTH)


BASELINE = Row("baseline", FourByFourConfig())
# Section III-H has factors in double precision. The baseline above computes them in single precision.
IN_DOUBLE = Row("baseline, factors in double", FourByFourConfig(twiddles="computed in double"))

_LM_CC = FourByFourConfig(local_memory="computation and communication")

# Section IV-B says that a unit stride is better than a stride of 4, and does not show it.
UNIT_STRIDE = Row("LM-CC, unit stride", replace(_LM_CC, unit_stride=True))

ALONE = (  # the bars of figure 4
    Row("RP", FourByFourConfig(preload=True)),
    Row("LM-CT", FourByFourConfig(local_memory="computation, no transpose")),
    Row("LM-CC", _LM_CC),
    Row("LM-CM", FourByFourConfig(local_memory="communication")),
    Row("CM-K", FourByFourConfig(twiddles="argument")),
    Row("CM-L", FourByFourConfig(twiddles="literal")),
    Row("CGAP", FourByFourConfig(layout="groups")),
    Row("LU", FourByFourConfig(unrolled=True)),
    *(Row(f"VASM{width}", FourByFourConfig(width=width, four_threads=True)) for width in (4, 8, 16)),
    *(Row(f"VAVM{width}", FourByFourConfig(width=width, layout="planar")) for width in (4, 8)),
)
IMPOSSIBLE = {  # bars that there can be none of here, and why
    **dict.fromkeys(("CSE", "IL"), "there is no way in GLSL to keep a compiler from doing it to any kernel"),
    "VAVM16": "no type of GLSL has 32 floats, as many real and imaginary parts need",
}

# These have optimisations of figure 4 in another design: accesses are coalesced through the target's memory, a thread
# has several columns, or two transforms lie side by side with real and imaginary parts in turn.
OURS = (
    Row("CGAP, staged", FourByFourConfig(coalesced=True)),
    *(Row(f"VASM{width}, columns", FourByFourConfig(width=width)) for width in (4, 8, 16)),
    Row("VAVM4, interleaved", FourByFourConfig(width=4), "buffer_pairs"),
)

# The optimisations of figure 5: what holds the points, how local memory is used, and whence factors come.
_MEMORIES = {"IM": "rg32f", "GLOB": "buffer"}
_LOCAL = {
    "RP+LM-CM": FourByFourConfig(True, "communication", layout="groups"),
    "LM-CC": replace(_LM_CC, layout="groups"),
    "LM-CT": FourByFourConfig(local_memory="computation, no transpose", layout="groups"),
}
_CONSTANTS = {"": "computed", "+CM-K": "argument", "+CM-L": "literal"}

IN_CONCERT = tuple(
    Row(f"{memory}+{local}{constant}", replace(_LOCAL[local], twiddles=_CONSTANTS[constant]), _MEMORIES[memory])
    for memory, local, constant in product(_MEMORIES, _LOCAL, _CONSTANTS)
)
BEST_NAME = "GLOB+RP+LM-CM+CM-L"
BEST_IN_UNIFORMS = "GLOB+RP+LM-CM+CM-K"
UNCOALESCED = Row(f"{BEST_NAME}, no CGAP", replace(BEST, coalesced=False))  # what coalescing is worth in the best set

# These stand beside figure 5: two transforms share a texel of four channels, or points lie in lines whose accesses are
# coalesced through shared memory, of one point or of several.
BESIDE = (
    Row("GLOB+RP+LM-CM, factors in double", replace(_LOCAL["RP+LM-CM"], twiddles="computed in double")),
    UNCOALESCED,
    Row("IM+RP+LM-CM+CM-L, RGBA, staged", replace(BEST, width=4), "rgba32f"),
    Row(f"{BEST_NAME}, staged", BEST),
    *(Row(f"{BEST_NAME}, staged, VASM{width}", replace(BEST, width=width)) for width in (4, 8, 16)),
)

ROWS = (BASELINE, IN_DOUBLE, UNIT_STRIDE, *ALONE, *OURS, *IN_CONCERT, *BESIDE)


class Images:
    """Source and target of each storage and layout for a batch, shared by all rows and released with the stack."""

    def __init__(self, run: Run, batch: int, stack: ExitStack) -> None:
        self._ctx, self._batch, self._stack = run.ctx, batch, stack
        self._points = random_complex((batch, LENGTH)).astype(np.complex64)
        self.checked = self._points[-_CHECKED:]
        self._nan = np.full(self._points.size * 2, np.nan, np.float32)
        self._nan_buffer = held(stack, run.ctx.buffer(self._nan))
        self._made: dict[tuple[str, str, int], tuple[Image, Image]] = {}

    def lines(self, row: Row) -> tuple[int, int | None]:
        """The lines of a layer and the number of layers, which is more than one where textures are too short."""
        lines = self._batch // row.transforms_a_line
        most = state_of(self._ctx).limits.texture_size
        return (lines, None) if row.values.buffer or lines <= most else (most, lines // most)

    def of(self, row: Row) -> tuple[Image, Image]:
        """Source and target of a row. The target is full of NaN: the row before has left the right results there."""
        key = (row.storage, row.config.layout, row.transforms_a_line)
        if key not in self._made:
            self._made[key] = self._make(row), self._make(row)
            self._made[key][0].write(row.numbers(self._points).tobytes())
        source, target = self._made[key]
        if isinstance(target, moderngl.Buffer):
            # Buffer.clear is no way to do it: it goes through the host's memory, as reading does.
            self._ctx.copy_buffer(target, self._nan_buffer)
        else:
            target.write(self._nan)
        return source, target

    def _make(self, row: Row) -> Image:
        lines, layers = self.lines(row)
        image = ImageSpec(self._ctx, (lines, LENGTH), layers, row.values)
        return held(self._stack, self._ctx.buffer(reserve=self._points.nbytes) if row.values.buffer else image.make())

    def last(self, row: Row, image: Image) -> npt.NDArray[np.complex64]:
        """The last points that an image holds, [transforms, 16]: the last numbers of each of its parts."""
        parts = 2 if row.config.layout == "planar" else 1
        data = read_copy(self._ctx, image) if isinstance(image, moderngl.Buffer) else image.read()
        numbers = np.frombuffer(data, np.float32).reshape(parts, -1)
        return row.points(numbers[:, -(2 * self.checked.size // parts) :].ravel())


def transforms(run: Run, row: Row, images: Images) -> Subject:
    """A row's transforms, checked once. Raises LimitError where the device cannot do them, AccuracyError if wrong."""
    ctx, family, storage = run.ctx, FourByFour(), row.values
    device = state_of(ctx).device
    lines, layers = images.lines(row)
    PlanRequest.of((lines, LENGTH), (1,), family.name, layers=layers, storage=storage).check_limits(device)
    computed = row.config.computes_factors
    wanted = AxisRequest((lines, LENGTH), 1, FORWARD, 1.0, computed, layers, storage, device, family.name)
    if reason := family.supports(wanted):
        raise LimitError(f"it would need {reason}")
    if not family.can_run(row.config, wanted):
        raise LimitError("the device or the storage does not have what it needs")
    (spec,) = family.passes(wanted, row.config)
    compiled = CompiledPass(ctx, spec)
    source, target = images.of(row)
    barrier = SHADER_STORAGE_BARRIER if storage.buffer else TEXTURE_FETCH_BARRIER

    def run_once() -> None:
        compiled.run(source, target)
        ctx.memory_barrier(barrier)

    run_once()
    ctx.memory_barrier()
    found = snr_db(images.last(row, target), np.fft.fft(images.checked.astype(np.complex128), axis=1))
    check_snr(row.name, found, floor_db(LENGTH, storage, 1) - (COMPUTED_LOSS_DB if computed else 0.0))
    return run.timer.subject(run_once)


class DelMundo(Chapter):
    name = "del-mundo"
    shares = staticmethod(channelizer_stages.shares)
    growths = staticmethod(channelizer_stages.growths)
    groups: ClassVar = {
        "libraries": LIBRARIES,
        "images": [row.name for row in IN_CONCERT if row.name.startswith("IM")],
        "buffers": [row.name for row in IN_CONCERT if row.name.startswith("GLOB")],
        "others in concert": [row.name for row in IN_CONCERT if row.name not in (BEST_NAME, BEST_IN_UNIFORMS)],
    }

    def measure(self, run: Run) -> dict[str, Grid]:
        batch = SOFTWARE_BATCH if run.software else QUICK_BATCH if run.quick else BATCH
        case = Case((batch, LENGTH), axes=(1,), storage=STORAGES["buffer"])
        with ExitStack() as shared:
            images = Images(run, batch, shared)
            rows: dict[str, Maker] = {row.name: lambda _, row=row: transforms(run, row, images) for row in ROWS}
            batches = run.time({batch: {**rows, **run.plans(case, ["auto"]), **run.contenders(case, run.peers)}})
        batches.skipped |= {(name, batch): reason for name, reason in IMPOSSIBLE.items()}
        return {"batches": batches, "channelizer": channelizer_stages.measure(run)}

    def words(self, measured: Measured) -> dict[str, str]:
        return {**super().words(measured), "batch": str(BATCH), "software_batch": str(SOFTWARE_BATCH)}

    def over_baseline(self, batches: Grid, rows: tuple[Row, ...] = ROWS[1:]) -> Rows:
        """The baseline's time over each kernel's time."""
        return {row.name: batches.ratios([BASELINE.name], [row.name]) for row in rows}

    def bars_alone(self, batches: Grid, rows: tuple[Row, ...] = (IN_DOUBLE, UNIT_STRIDE, *ALONE, *OURS)) -> Rows:
        """Figure 4 and what stands beside it."""
        found = self.over_baseline(batches, rows)
        return {"here": {name: next(iter(cells.values())) for name, cells in found.items() if cells}}

    def bars_in_concert(self, batches: Grid) -> Rows:
        """Figure 5 and what stands beside it."""
        return self.bars_alone(batches, (*IN_CONCERT, *BESIDE))

    def published_bars(self, alone: Grid) -> Rows:
        return {device: {row: each[device] for row, each in alone.cells.items()} for device in alone.points}
