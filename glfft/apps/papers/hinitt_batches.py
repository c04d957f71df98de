"""Hinitt and Kocak's batches: their kernels, one batch divided over streams, and the parts of its time."""

from contextlib import ExitStack
from dataclasses import dataclass

import moderngl

from glfft.apps.bench.cases import Case
from glfft.apps.ofdm.link.settings import FIXED8, FLOAT16, FLOAT32
from glfft.apps.papers.divided_batch import DividedBatch
from glfft.apps.papers.grid import Grid
from glfft.apps.papers.measuring import Maker, Run, Sampled, check_snr
from glfft.apps.papers.sampled_transforms import FLOORS_DB, POINTS, SampledTransforms, numbers
from glfft.apps.signal_to_noise import snr_db
from glfft.gl import programs, source
from glfft.streaming.slots import ArrayLayout
from glfft.streaming.stream import Work

ALGORITHMS = ("planar-radix-2", "butterfly-sets", "butterfly-sets-permuted", "butterfly-sets-reordered")
PLANAR, SETS, PERMUTED, REORDERED = ALGORITHMS
COMPUTED = (PLANAR, SETS, REORDERED)

# The names of widths in reports.
BITS = {FLOAT32: "32-bit", FLOAT16: "16-bit", FIXED8: "8-bit"}

# Batches of a sample, one after the other.
_BATCHES = 8

ONE, TWO, FOUR = "one stream", "two streams", "four streams"
_STREAMS = {ONE: 1, TWO: 2, FOUR: 4}
# The ways of a batch to the device and back, as names of rows end.
TOGETHER, APART, DIRECT = "", ", three contexts", ", without copies"

_KERNELS = {"radix 2": PLANAR, "new kernel": SETS, "new kernel, other order": REORDERED}
RADIX_2, NEW, ORDERED = _KERNELS

# The rows of section 4.4.1: its runs, and a whole batch beside them.
TRANSFERS, CONVERTED, EMPTY = "transfers alone (i)", "transfers and conversions (ii)", "an empty kernel (iii)"
WHOLE = "transfers, conversions and transforms"


@dataclass(frozen=True)
class Row:
    """One way to transform a batch."""

    kernel: str  # a key of _KERNELS
    streams: str  # a key of _STREAMS
    # TOGETHER in one context, APART for copies there, work and copies back in a context each, or DIRECT for kernels
    # that read and write the program's memory themselves
    way: str = TOGETHER

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
    tables = run.plans(case, ALGORITHMS)
    computed = {computed_row(name): run.plan(case, name, "computed") for name in COMPUTED}
    return {**tables, **computed}


def computed_row(name: str) -> str:
    """The row of a kernel that computes its factors."""
    return f"{name}, factors computed"


def measure(run: Run, count: int) -> dict[str, Grid]:
    """Batches with their transfers, divided and whole, and parts of their time: microseconds a transform."""
    ctx = run.ctx
    divided = {
        BITS[width]: {
            row.name: _maker(ctx, row, width, count) for row in ROWS if row.kernel == RADIX_2 or width == FIXED8
        }
        for width in (FLOAT32, FLOAT16, FIXED8)
    }
    parts = {BITS[width]: _parts(ctx, width, count) for width in (FLOAT16, FIXED8)}
    return {"divided": run.time(divided), "parts": run.time(parts)}


def _maker(ctx: moderngl.Context, row: Row, width: str, count: int) -> Maker:
    def make(stack: ExitStack) -> Sampled:
        streams = _STREAMS[row.streams]
        # Figure 13 has sine and cosine in the kernel, and table 5 the angles.
        transforms = SampledTransforms(ctx, width, _KERNELS[row.kernel], count // streams, twiddles="computed")
        stack.callback(transforms.release)
        batch = _divided(ctx, transforms, transforms.layout, stack, streams, row.way)
        samples, exact = numbers(width, count)
        batch.fill(samples)
        batch.run()
        check_snr(f"The batch of {row.name}", snr_db(transforms.decode(batch.results), exact), FLOORS_DB[width])
        return Sampled.repeated(batch.run, _BATCHES, count)

    return make


def _parts(ctx: moderngl.Context, width: str, count: int) -> dict[str, Maker]:
    """The runs (i) to (iii) of section 4.4.1, in one stream, and what they are parts of."""

    def undivided(work: Work, layout: ArrayLayout, stack: ExitStack) -> Sampled:
        batch = _divided(ctx, work, layout, stack)
        samples, _ = numbers(width, count)
        batch.fill(samples)
        return Sampled.repeated(batch.run, _BATCHES, count)

    def transfers(stack: ExitStack) -> Sampled:
        samples, _ = numbers(width, count)
        return undivided(lambda up, down: None, (samples.shape, samples.dtype), stack)

    def converted(stack: ExitStack) -> Sampled:
        converting = SampledTransforms(ctx, width, None, count)
        stack.callback(converting.release)
        return undivided(converting, converting.layout, stack)

    def empty(_stack: ExitStack) -> Sampled:
        """Dispatches of a kernel that does nothing, as many work groups as transforms, waited for each time."""
        program = programs.compute_from(ctx, source.assemble("papers/empty.comp", {"THREADS": POINTS // 8}))

        def run() -> None:
            program.run(count, 1, 1)
            ctx.finish()

        return Sampled.repeated(run, _BATCHES, count)

    whole = _maker(ctx, Row(RADIX_2, ONE), width, count)
    return {TRANSFERS: transfers, CONVERTED: converted, EMPTY: empty, WHOLE: whole}


def _divided(
    ctx: moderngl.Context, work: Work, layout: ArrayLayout, stack: ExitStack, streams: int = 1, way: str = TOGETHER
) -> DividedBatch:
    """A batch whose numbers lie where the device takes them from, and whose results stay where they arrive."""
    batch = DividedBatch(ctx, work, layout, streams, contexts=3 if way == APART else 1, direct=way == DIRECT)
    stack.callback(batch.release)
    return batch
