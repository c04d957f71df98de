"""Hinitt and Kocak's batches of 512 points: their kernels, one batch divided over streams, and parts of its time."""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt
from moderngl import Buffer, Context

import glfft
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.suite import Case
from glfft.apps.bench.workload import held
from glfft.apps.ofdm.link.settings import FIXED8, FLOAT16, FLOAT32
from glfft.apps.ofdm.link.symbols import SAMPLES_BINDING, Width
from glfft.apps.papers.claims import Grid
from glfft.apps.papers.measuring import Maker, Run, check_snr
from glfft.apps.signal_to_noise import random_complex, snr_db
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.plan_passes import copy_pass
from glfft.engine.request import FORWARD, PlanRequest
from glfft.errors import LimitError
from glfft.gl import programs
from glfft.gl.barriers import BUFFER_UPDATE_BARRIER
from glfft.gl.bindings import FIRST_DRAWING_IMAGE_UNIT
from glfft.gl.context import state_of
from glfft.gl.device import Device
from glfft.gl.fences import Fences
from glfft.gl.releasable import Keeper, released_on_error
from glfft.gl.shared_contexts import SharedContext
from glfft.gl.textures import buffer_textures
from glfft.profiling.timing import WALL_TIMER, WallCall
from glfft.streaming import ArrayLayout, Layout, MappedSlot, Work
from glfft.wisdom import lookup

POINTS = 512

_BYTE_ONE = 44.0  # what 1 becomes in 8 bits: spectra of normal numbers seldom go beyond 4 standard deviations
# The least accuracy of a transform in each width. The first number allows for computed factors too.
FLOORS_DB = {FLOAT32: 110.0, FLOAT16: 60.0, FIXED8: 30.0}

_SPECTRA_BINDING = SAMPLES_BINDING + 1
_SPECTRA_IMAGE = FIRST_DRAWING_IMAGE_UNIT
_STORES = {
    FLOAT16: f'#define SPECTRA_BINDING {_SPECTRA_BINDING}\n#include "papers/store_16_bits.glsl"\n',
    FIXED8: f'#define SPECTRA_IMAGE {_SPECTRA_IMAGE}\n#define ONE {_BYTE_ONE}\n#include "papers/store_8_bits.glsl"\n',
}

_COPY_BLOCK = (64, 1, 8)  # of conversions, whose threads have as many points each as the paper's new kernel's


class SampledTransforms(Keeper):
    """So many transforms from buffer to buffer, as work for a stream. Samples and spectra have a `Width`; without an
    algorithm, samples are stored as they are. Raises LimitError where the device has no images of so many numbers.
    """

    def __init__(self, ctx: Context, width: str, algorithm: str | None, count: int, twiddles: str = "table") -> None:
        self._ctx, self._width = ctx, width
        self.layout = ((count, POINTS, 2), Width(width).dtype)  # of samples, and of spectra
        device = state_of(ctx).device
        if width == FIXED8 and count * POINTS > device.limits.buffer_texels:
            raise LimitError(f"An image of {count * POINTS} numbers is needed; take fewer transforms a batch.")
        self._pass = CompiledPass(ctx, sampled_pass(device, width, algorithm, count, twiddles))
        self._own(self._pass.program)
        if width == FIXED8:
            self._pass.program["sample_step"] = Width(FIXED8).step(1.0)

    def __call__(self, samples: Buffer, spectra: Buffer) -> None:
        samples.bind_to_storage_buffer(SAMPLES_BINDING)
        if self._width == FIXED8:
            buffer_textures(self._ctx).use_for_pairs_of_bytes(spectra, _SPECTRA_IMAGE)
        elif self._width == FLOAT16:
            spectra.bind_to_storage_buffer(_SPECTRA_BINDING)
        self._pass.run(None, spectra if self._width == FLOAT32 else None)

    def decode(self, result: npt.NDArray[Any]) -> npt.NDArray[np.complex64]:
        """The spectra that came down, as complex numbers."""
        parts = result.astype(np.float32) / (_BYTE_ONE if self._width == FIXED8 else 1.0)
        return np.ascontiguousarray(parts, np.float32).view(np.complex64)[..., 0]


def sampled_pass(device: Device, width: str, algorithm: str | None, count: int, twiddles: str) -> PassSpec:
    computed, shape, scale = twiddles == "computed", (count, POINTS), POINTS**-0.5
    request = AxisRequest(shape, 1, FORWARD, scale, computed, None, STORAGES["buffer"], device, algorithm or "auto")
    if algorithm is None:
        spec = copy_pass(PlanRequest.of(shape, (1,), storage=STORAGES["buffer"]), FORWARD, device, _COPY_BLOCK)
    else:
        (spec,) = lookup.passes(request)
    load = glfft.snippets.Snippet(f'{Width(width).samples}\n#include "papers/load_samples.glsl"\n')
    store = glfft.snippets.Snippet(_STORES[width]).generated("store") if width in _STORES else ()
    return replace(spec, snippets=load.generated("load") + store)


def numbers(width: str, count: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.complex128]]:
    """A batch as it goes up, and the spectra to expect."""
    signal, spectra = _signal(count)
    return Width(width).encode(signal.ravel(), 1.0).reshape(count, POINTS, 2), spectra


@cache
def _signal(count: int) -> tuple[npt.NDArray[np.complex64], npt.NDArray[np.complex128]]:
    """A signal with a mean power of 1, and its spectra."""
    signal = (random_complex((count, POINTS)) / np.sqrt(2)).astype(np.complex64)
    return signal, np.fft.fft(signal.astype(np.complex128), norm="ortho")


ALGORITHMS = ("planar-radix-2", "butterfly-sets", "butterfly-sets-permuted", "butterfly-sets-reordered")
PLANAR, SETS, _, REORDERED = ALGORITHMS
COMPUTED = (PLANAR, SETS, REORDERED)

BITS = {FLOAT32: "32-bit", FLOAT16: "16-bit", FIXED8: "8-bit"}  # the names of widths in reports
_BATCHES = 8  # batches of a sample, one after the other

ONE, TWO, FOUR = _STREAMS = {"one stream": 1, "two streams": 2, "four streams": 4}
# The ways of a batch to the device and back, as names of rows end: in one context, whose commands NVIDIA's driver runs
# one after another; copies there, work and copies back in a context each; or work in the program's memory.
TOGETHER, APART, DIRECT = "", ", three contexts", ", without copies"

RADIX_2, NEW, ORDERED = _KERNELS = {"radix 2": PLANAR, "new kernel": SETS, "new kernel, other order": REORDERED}

# The rows of section 4.4.1: its runs, and a whole batch beside them.
TRANSFERS, CONVERTED, EMPTY = "transfers alone (i)", "transfers and conversions (ii)", "an empty kernel (iii)"
WHOLE = "transfers, conversions and transforms"


@dataclass(frozen=True)
class Row:
    kernel: str  # a key of _KERNELS
    streams: str  # a key of _STREAMS
    way: str = TOGETHER  # or APART or DIRECT

    @property
    def name(self) -> str:
        return f"{self.kernel}, {self.streams}{self.way}"


ROWS = (
    *(Row(RADIX_2, streams) for streams in _STREAMS),
    *(Row(RADIX_2, streams, APART) for streams in (TWO, FOUR)),
    Row(RADIX_2, ONE, DIRECT),
    *(Row(kernel, streams) for kernel in (NEW, ORDERED) for streams in (ONE, FOUR)),
    *(Row(kernel, FOUR, APART) for kernel in (NEW, ORDERED)),
    *(Row(kernel, ONE, DIRECT) for kernel in (NEW, ORDERED)),
)


def on_device(run: Run, case: Case) -> dict[str, Maker]:
    """The paper's kernels on one batch that stays on the device, with factors from a table and computed."""
    return run.plans(case, ALGORITHMS) | {computed_row(name): run.plan(case, name, "computed") for name in COMPUTED}


def computed_row(name: str) -> str:
    return f"{name}, factors computed"


def measure(run: Run, count: int) -> dict[str, Grid]:
    """Batches with their transfers, divided and whole, and parts of their time: microseconds a transform."""
    divided: dict[str, dict[str, Maker]] = {}
    for width, bits in BITS.items():
        rows = [row for row in ROWS if row.kernel == RADIX_2 or width == FIXED8]
        divided[bits] = {row.name: partial(_divided, run.ctx, row, width, count) for row in rows}
    parts = {BITS[width]: _parts(run.ctx, width, count) for width in (FLOAT16, FIXED8)}
    return {"divided": run.time(divided), "parts": run.time(parts)}


def _divided(ctx: Context, row: Row, width: str, count: int, stack: ExitStack) -> WallCall:
    streams = _STREAMS[row.streams]
    # Figure 13 has sine and cosine in the kernel, and table 5 the angles.
    transforms = held(stack, SampledTransforms(ctx, width, _KERNELS[row.kernel], count // streams, "computed"))
    batch = held(stack, DividedBatch(ctx, transforms, transforms.layout, streams, row.way))
    samples, exact = numbers(width, count)
    batch.fill(samples)
    batch.run()
    check_snr(f"The batch of {row.name}", snr_db(transforms.decode(batch.results), exact), FLOORS_DB[width])
    return WallCall(batch.run, WALL_TIMER, calls=_BATCHES, things=_BATCHES * count)


def _parts(ctx: Context, width: str, count: int) -> dict[str, Maker]:
    """The runs (i) to (iii) of section 4.4.1, in one stream, and what they are parts of."""
    samples, _ = numbers(width, count)

    def undivided(work: Work, stack: ExitStack) -> WallCall:
        batch = held(stack, DividedBatch(ctx, work, (samples.shape, samples.dtype)))
        batch.fill(samples)
        return WallCall(batch.run, WALL_TIMER, calls=_BATCHES, things=_BATCHES * count)

    def converted(stack: ExitStack) -> WallCall:
        return undivided(held(stack, SampledTransforms(ctx, width, None, count)), stack)

    def empty(_stack: ExitStack) -> WallCall:
        """Dispatches of a kernel that does nothing, as many work groups as transforms, waited for each time."""
        program = programs.compute(ctx, "papers/empty.comp", {"THREADS": POINTS // 8})

        def run() -> None:
            program.run(count, 1, 1)
            ctx.finish()

        return WallCall(run, WALL_TIMER, calls=_BATCHES, things=_BATCHES * count)

    transfers = partial(undivided, lambda up, down: None)
    whole = partial(_divided, ctx, Row(RADIX_2, ONE), width, count)
    return {TRANSFERS: transfers, CONVERTED: converted, EMPTY: empty, WHOLE: whole}


class DividedBatch(Keeper):
    """Copies a batch to the device, works on it and copies the results back, in parts, whose copies may run beside the
    work on others, by buffers that stay mapped, filled and read in place; `work` and `layout` are as of a `Stream`.
    Raises ContextError where the device has too little memory, no such buffers, or no further context.
    """

    def __init__(self, ctx: Context, work: Work, layout: ArrayLayout, streams: int = 1, way: str = TOGETHER) -> None:
        self._ctx, self._work, self._direct = ctx, work, way == DIRECT
        self._kept, part = [], Layout.of("layout", layout)
        with released_on_error([self]):
            self._fences = self._own(Fences(ctx))
            self._slots = [MappedSlot(ctx, self._kept, part, part, self._direct) for _ in range(streams)]
            self._contexts = [self._own(SharedContext(ctx)) for _ in range(2 if way == APART else 0)]  # up, down

    def fill(self, batch: npt.NDArray[Any]) -> None:
        """Put a batch's numbers where the device takes them from, the parts one after another."""
        for slot, part in zip(self._slots, np.split(batch, len(self._slots)), strict=True):
            slot.block[...] = part

    @property
    def results(self) -> npt.NDArray[Any]:
        return np.concatenate([slot.results for slot in self._slots])

    def run(self) -> None:
        """Send, work and fetch all parts, and wait until all is done."""
        for fence in self._side_by_side(*self._contexts) if self._contexts else self._one_after_another():
            self._fences.wait(fence)
            self._fences.delete(fence)

    def _one_after_another(self) -> list[int]:
        for slot in self._slots:
            if self._direct:
                self._work(slot.upload_buffer, slot.download_buffer)
                continue
            slot.send()
            self._work(slot.source, slot.target)
            self._ctx.memory_barrier(BUFFER_UPDATE_BARRIER)
            slot.download()
        if self._direct:
            self._ctx.memory_barrier()
        return [self._fences.put()]

    def _side_by_side(self, sending: SharedContext, fetching: SharedContext) -> list[int]:
        sent, worked, fetched = [], [], []
        with sending:
            for slot in self._slots:
                slot.send()
                sent.append(self._put())
        for slot, fence in zip(self._slots, sent, strict=True):
            self._fences.follow(fence)
            self._work(slot.source, slot.target)
            self._ctx.memory_barrier(BUFFER_UPDATE_BARRIER)
            worked.append(self._put())
        with fetching:
            for slot, fence in zip(self._slots, worked, strict=True):
                self._fences.follow(fence)
                slot.download()
                fetched.append(self._put())
        for fence in (*sent, *worked):
            self._fences.delete(fence)
        return fetched

    def _put(self) -> int:
        """A fence that other contexts may follow: its commands have been sent to the GPU."""
        fence = self._fences.put()
        self._fences.passed(fence)
        return fence

    def release(self) -> None:
        state_of(self._ctx).check.require()
        self._ctx.finish()
        super().release()
