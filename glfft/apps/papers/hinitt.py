"""Hinitt and Kocak, GPU-based FFT for WirelessHD: streams of transforms, their steps, and the receiver they aim at."""

import math
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial, partialmethod
from itertools import pairwise, product

import moderngl

from glfft.algorithms.lengths import log2
from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.suite import Case
from glfft.apps.bench.workload import held
from glfft.apps.ofdm.link.reception import Reception
from glfft.apps.ofdm.link.settings import FIXED8, FLOAT16, FLOAT32, LinkSettings
from glfft.apps.ofdm.link.symbols import SECONDS_A_SYMBOL
from glfft.apps.papers import hinitt_batches as paper
from glfft.apps.papers.chapter import Chapter, Rows
from glfft.apps.papers.claims import Grid, Measured, Point, Spread
from glfft.apps.papers.hinitt_batches import FLOORS_DB, SampledTransforms, numbers
from glfft.apps.papers.measuring import Maker, Run, check_snr
from glfft.apps.signal_to_noise import snr_db
from glfft.errors import AccuracyError
from glfft.profiling.timing import WALL_TIMER, WallCall
from glfft.streaming import Stream

RADIX_2, RADIX_8, PADDED = "stockham-radix2", "radix-8", "radix-8-padded"

IN_FLIGHT = 4  # blocks under way at once in streams that overlap them
BLOCKS = 8  # blocks of a sample
ALGORITHM = "auto"  # the algorithm of the receiver's transforms
SYMBOLS = {False: 5632, True: 352}  # symbols of a block, by whether the renderer is software

ERROR_BITS, ERRORS_DB = 1_000_000, 8.0  # bits to count the errors of, and their energy over the noise's


@dataclass(frozen=True)
class Step:
    """A step of the paper (tables 4 and 6, section 5.2.1), as a stream."""

    name: str  # the name in reports
    width: str = FLOAT32  # bits and kind of the samples that go up, and of the numbers that come down
    algorithm: str = RADIX_2  # the transforms' algorithm
    mapped: bool = True  # whether buffers stay mapped, which is what page-locked memory is here
    in_flight: int = IN_FLIGHT  # blocks under way at once, as in the paper's streams


PLAIN = Step("large batches, plain buffers", mapped=False, in_flight=1)
LOCKED = Step("buffers that stay mapped", in_flight=1)
OVERLAPPED = Step("blocks overlapped")
HALF = Step("16-bit samples", FLOAT16)
FIXED = Step("8-bit samples", FIXED8)
EIGHT = Step("8 points a thread", FIXED8, RADIX_8)
ORDERED = Step("another order in shared memory", FIXED8, PADDED)
STEPS = (PLAIN, LOCKED, OVERLAPPED, HALF, FIXED, EIGHT, ORDERED)


def step_of(ctx: moderngl.Context, step: Step, count: int, stack: ExitStack) -> WallCall:
    """The stream of a step: blocks of `count` transforms that are fed and taken, transfers included."""
    transforms, stream = open_stream(ctx, step, count, stack)
    block, exact = numbers(step.width, count)
    stream.feed(block)
    results = stream.take()
    check_snr(f"The stream of {step.name}", snr_db(transforms.decode(results), exact), FLOORS_DB[step.width])

    def blocks() -> None:
        for _ in range(BLOCKS):
            if stream.under_way == stream.in_flight:
                stream.take(results)
            stream.feed(block)
        while stream.under_way:
            stream.take(results)

    return WallCall(blocks, WALL_TIMER, things=BLOCKS)


def open_stream(ctx: moderngl.Context, step: Step, count: int, stack: ExitStack) -> tuple[SampledTransforms, Stream]:
    """The transforms of a step, and its stream of blocks of `count` of them, which are released with the stack."""
    transforms = held(stack, SampledTransforms(ctx, step.width, step.algorithm, count))
    layout = transforms.layout
    stream = Stream(ctx, transforms, block=layout, result=layout, in_flight=step.in_flight, mapped=step.mapped)
    return transforms, held(stack, stream)


def measure_receiver(run: Run) -> dict[str, Grid]:
    """Microseconds a symbol by width and blocks in flight, and the share of wrong bits by width."""
    symbols = SYMBOLS[run.software]
    ways = {"one block at a time": 1, f"{IN_FLIGHT} blocks in flight": IN_FLIGHT}
    settings = LinkSettings(symbols=symbols, bit_energy_db=40.0, algorithm=ALGORITHM)
    receivers = {
        f"{each}, {blocks}": replace(settings, samples=each, in_flight=in_flight)
        for each in (FLOAT32, FLOAT16, FIXED8)
        for blocks, in_flight in ways.items()
    }
    direct = f"{FIXED8}, {IN_FLIGHT} blocks in flight, read where they are written"
    receivers[direct] = replace(settings, samples=FIXED8, in_flight=IN_FLIGHT, direct=True)
    errors = _errors(run.ctx, ERROR_BITS // (4 if run.quick else 1))
    makers: dict[str, Maker] = {name: partial(_receiver, run.ctx, each) for name, each in receivers.items()}
    return {"receiver": of_each(run.time({symbols: makers})), "errors": errors}


def _receiver(ctx: moderngl.Context, settings: LinkSettings, stack: ExitStack) -> WallCall:
    reception = stack.enter_context(Reception(ctx, settings))
    reception.step(0.0)
    wrong, bits = reception.counted[settings.bit_energy_db]
    if wrong > bits / 1000:
        raise AccuracyError(f"The receiver of {settings.samples} samples is wrong: {wrong} of {bits} bits.")
    return WallCall(partial(reception.receive, BLOCKS), WALL_TIMER, things=BLOCKS)


def _errors(ctx: moderngl.Context, bits: int) -> Grid:
    """The share of wrong bits by width; its spread is a standard deviation to both sides."""
    grid = Grid()
    for width in (FLOAT32, FLOAT16, FIXED8, "fixed4"):
        settings = LinkSettings("flat", ERRORS_DB, width, symbols=SYMBOLS[True], algorithm=RADIX_8)
        with Reception(ctx, settings) as reception:
            reception.count(bits, most_errors=bits)
            wrong, of = reception.counted[ERRORS_DB]
        rate, off = wrong / of, math.sqrt(max(wrong, 1)) / of
        grid.values[width, f"{ERRORS_DB:g} dB"] = Spread(rate, rate - off, rate + off)
    return grid


_ALGORITHMS = (RADIX_2, RADIX_8, PADDED, "auto")

BATCHES, QUICK_BATCHES = (1, 16, 256, 2048, 8192, 16384), (1, 256)

STREAM_BATCHES = {False: 16384, True: 256}  # transforms of a stream's block, by whether the renderer is software
_DEADLINE = SECONDS_A_SYMBOL * 1e6  # the standard's time for a symbol, in microseconds

# The steps as a plot names them.
_PLOTTED = dict(zip(("plain", "mapped", "overlapped", "16-bit", "8-bit", "8 points", "order"), STEPS, strict=True))


class Hinitt(Chapter):
    name = "hinitt"

    def measure(self, run: Run) -> dict[str, Grid]:
        batches = QUICK_BATCHES if run.quick else BATCHES
        count = STREAM_BATCHES[run.software] // (4 if run.quick else 1)
        most = 2048 if run.software else batches[-1]  # a software renderer takes a minute for a larger one
        streams: dict[str, Maker] = {step.name: partial(step_of, run.ctx, step, count) for step in STEPS}
        streams |= run.contenders(_case(count), run.peers)
        return {
            "batches": of_each(run.time({batch: _on_device(run, batch) for batch in batches if batch <= most})),
            "streams": of_each(run.time({count: streams})),
            **measure_receiver(run),
            **paper.measure(run, count),
        }

    def words(self, measured: Measured) -> dict[str, str]:
        on_cpu = "The device is a software renderer: no numbers go to another device, and none runs beside it."
        return {**super().words(measured), "on_cpu": on_cpu * measured.software}

    def in_batches(self, batches: Grid, least: int = 1) -> dict[Point, Spread]:
        """The times a transform in batches of more than `least` over the time in such a batch, radix 2."""
        times = batches.cells.get(RADIX_2, {})
        return {batch: each.over(times[least]) for batch, each in times.items() if batch > least and least in times}

    beyond_8192 = partialmethod(in_batches, least=8192)

    def transforms_alone(self, measured: Measured) -> dict[Point, Spread]:
        """The time a transform in the largest batch over its time with transfers. They were not measured in turn."""
        width = paper.BITS[FLOAT32]
        alone = [*measured["batches"].cells.get(paper.computed_row(paper.PLANAR), {}).values()]
        whole = measured["divided"].values.get((paper.Row(paper.RADIX_2, paper.TWO).name, width))
        if not alone or whole is None:
            return {}
        return {width: replace(alone[-1], samples=()).over(replace(whole, samples=()))}

    def narrower(self, divided: Grid) -> dict[Point, Spread]:
        """The time of each width of samples over the previous width's: radix 2, in as many streams as are best."""
        rows = [paper.Row(paper.RADIX_2, streams).name for streams in (paper.ONE, paper.TWO, paper.FOUR)]
        best = {width: divided.best(rows, width) for width in paper.BITS.values()}
        pairs = [(width, best[width], best[wider]) for wider, width in pairwise(best)]
        return {width: time.over(before) for width, time, before in pairs if time is not None and before is not None}

    def transforms_share(self, parts: Grid) -> dict[Point, Spread]:
        """The transforms' share of all time (tables 2 and 3)."""
        whole = {width: sum(part.middle for part in each.values()) for width, each in parts.cells.items()}
        return {width: parts.values[width, "transform"].over(time) for width, time in whole.items()}

    def best_over_deadline(self, divided: Grid) -> dict[Point, Spread]:
        """The best of the paper's kernels in 8 bits, in one stream or four, over the standard's time for a symbol."""
        rows = [paper.Row(*each).name for each in product((paper.NEW, paper.ORDERED), (paper.ONE, paper.FOUR))]
        best = divided.best(rows, paper.BITS[FIXED8])
        return {} if best is None else {paper.BITS[FIXED8]: best.over(_DEADLINE)}

    def over_symbol(self, streams: Grid) -> dict[Point, Spread]:
        """The paper's times over the time for a symbol that it has."""
        symbol = self.published["symbol"].values["the standard", "symbol"]
        pair = {"one GPU": streams.cells[ORDERED.name], "two GPUs": streams.cells["two GPUs"]}
        return {name: next(iter(times.values())).over(symbol) for name, times in pair.items()}

    def over_deadline(self, receiver: Grid) -> Rows:
        return receiver.changed(lambda time: time.over(_DEADLINE))

    def over_undivided(self, divided: Grid) -> Rows:
        """Times of batches over the first published one's: undivided, of 32-bit samples."""
        first = divided.values.get(next(iter(self.published["divided"].values)))
        return {} if first is None else divided.changed(lambda time: time.over(first))

    def rates(self, grid: Grid) -> Rows:
        """5 N log2 N over the times in microseconds, in 10^9 operations a second (equation 4)."""
        return grid.changed(Spread.exact(5 * paper.POINTS * log2(paper.POINTS) / 1e3).over)

    def part_shares(self, parts: Grid) -> dict[str, dict[Point, float]]:
        """The parts of a batch's time, as differences of the runs (i) to (iii) of section 4.4.1."""
        found: dict[str, dict[Point, float]] = {}
        for point, runs in parts.columns((paper.TRANSFERS, paper.CONVERTED, paper.EMPTY, paper.WHOLE)).items():
            copies, converted, empty, whole = (time.middle for time in runs)
            times = {"copies": copies, "conversion": converted - copies, "kernel call": empty}
            for name, time in {**times, "transform": whole - converted}.items():
                found.setdefault(name, {})[point] = time / whole
        return found

    def steps_over_plain(self, streams: Grid) -> Rows:
        """The steps over the first of them, measured or published."""
        ratios = {name: streams.ratios([step.name], [PLAIN.name]) for name, step in _PLOTTED.items()}
        return {"steps": {name: next(iter(each.values())) for name, each in ratios.items() if each}}

    def ways(self, divided: Grid) -> Rows:
        """Times of one batch over the first published one's, by kernel, streams and width, measured or published."""
        times = divided.values
        first, *others = self.published["divided"].values
        found = {", ".join(key): times[key].over(times[first]) for key in others if {key, first} <= times.keys()}
        return {"ways": found}


def _case(batch: int) -> Case:
    return Case((batch, paper.POINTS), axes=(1,), storage=STORAGES["buffer"])


def of_each(batches: Grid) -> Grid:
    """The times of batches, divided by how many transforms or symbols they have, which is their point."""
    return Grid({(row, n): batch.over(n) for (row, n), batch in batches.values.items()}, batches.skipped)


def _on_device(run: Run, batch: int) -> dict[str, Maker]:
    case = _case(batch)
    return {**run.plans(case, _ALGORITHMS), **paper.on_device(run, case), **run.contenders(case, run.peers)}
