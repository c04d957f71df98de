"""Hinitt and Kocak, GPU-based FFT for WirelessHD: streams of transforms, their steps, and the receiver they aim at."""

from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.cases import Case
from glfft.apps.ofdm.link.settings import FIXED8, FLOAT32
from glfft.apps.ofdm.link.symbols import SECONDS_A_SYMBOL
from glfft.apps.papers import hinitt_batches
from glfft.apps.papers import hinitt_streams as steps
from glfft.apps.papers.chapter import Chapter, Rows
from glfft.apps.papers.claims import Measured
from glfft.apps.papers.grid import Grid, Point, Spread
from glfft.apps.papers.hinitt_batches import (
    BITS,
    CONVERTED,
    EMPTY,
    FOUR,
    NEW,
    ONE,
    ORDERED,
    PLANAR,
    RADIX_2,
    TRANSFERS,
    TWO,
    WHOLE,
    Row,
    computed_row,
)
from glfft.apps.papers.measuring import Maker, Run, Sampled
from glfft.apps.papers.sampled_transforms import POINTS

_ALGORITHMS = (steps.RADIX_2, steps.RADIX_8, steps.PADDED, "auto")

BATCHES, QUICK_BATCHES = (1, 16, 256, 2048, 8192, 16384), (1, 256)

# Transforms of a stream's block, by whether the renderer is software.
STREAM_BATCHES = {False: 16384, True: 256}

# The standard's time for a symbol, in microseconds.
_DEADLINE = SECONDS_A_SYMBOL * 1e6

# The steps as a plot names them.
_PLOTTED = {
    "plain": steps.PLAIN,
    "mapped": steps.LOCKED,
    "overlapped": steps.OVERLAPPED,
    "16-bit": steps.HALF,
    "8-bit": steps.FIXED,
    "8 points": steps.EIGHT,
    "order": steps.ORDERED,
}


class Hinitt(Chapter):
    """Batches on the device, streams with transfers, and the whole receiver."""

    name = "hinitt"
    file = "hinitt.toml"

    def measure(self, run: Run) -> dict[str, Grid]:
        batches = QUICK_BATCHES if run.quick else BATCHES
        count = STREAM_BATCHES[run.software] // (4 if run.quick else 1)
        # A software renderer takes a minute for a larger one.
        most = 2048 if run.software else batches[-1]
        on_device = run.time({batch: _on_device(run, batch) for batch in batches if batch <= most})
        streams = {step.name: steps.step_maker(run.ctx, step, count) for step in steps.STEPS}
        streams |= {name: _a_transform(make, count) for name, make in run.libraries(_case(count)).items()}
        return {
            "batches": on_device,
            "streams": run.time({count: streams}),
            **steps.measure_receiver(run),
            **hinitt_batches.measure(run, count),
        }

    def words(self, measured: Measured) -> dict[str, str]:
        on_cpu = "The device is a software renderer: no numbers go to another device, and none runs beside it."
        return {**super().words(measured), "on_cpu": on_cpu * measured.software}

    def in_batches(self, batches: Grid) -> dict[Point, Spread]:
        """The times a transform in batches over the time of one alone, radix 2."""
        return _over_batch(batches, 1)

    def beyond_8192(self, batches: Grid) -> dict[Point, Spread]:
        """The times a transform in batches of more than 8192 over the time in a batch of 8192, radix 2."""
        return _over_batch(batches, 8192)

    def transforms_alone(self, measured: Measured) -> dict[Point, Spread]:
        """The time a transform in the largest batch over its time with transfers. They were not measured in turn."""
        width = BITS[FLOAT32]
        alone = [*measured["batches"].cells.get(computed_row(PLANAR), {}).values()]
        whole = measured["divided"].values.get((Row(RADIX_2, TWO).name, width))
        if not alone or whole is None:
            return {}
        return {width: replace(alone[-1], samples=()).over(replace(whole, samples=()))}

    def narrower(self, divided: Grid) -> dict[Point, Spread]:
        """The time of each width of samples over the time of the width before it: radix 2, in as many streams as are
        best.
        """
        rows = [Row(RADIX_2, streams).name for streams in (ONE, TWO, FOUR)]
        best = {width: divided.best(rows, width) for width in BITS.values()}
        pairs = [(width, best[width], best[wider]) for wider, width in pairwise(best)]
        return {width: time.over(before) for width, time, before in pairs if time is not None and before is not None}

    def transforms_share(self, parts: Grid) -> dict[Point, Spread]:
        """The transforms' share of all time (tables 2 and 3)."""
        whole = {width: sum(part.middle for part in each.values()) for width, each in parts.cells.items()}
        return {width: _over(parts.values[width, "transform"], time) for width, time in whole.items()}

    def best_over_deadline(self, divided: Grid) -> dict[Point, Spread]:
        """The best of the paper's kernels in 8 bits, in one stream or four, over the standard's time for a symbol."""
        rows = [Row(kernel, streams).name for kernel in (NEW, ORDERED) for streams in (ONE, FOUR)]
        best = divided.best(rows, BITS[FIXED8])
        return {} if best is None else {BITS[FIXED8]: _over(best, _DEADLINE)}

    def over_symbol(self, streams: Grid) -> dict[Point, Spread]:
        """The paper's times over the time for a symbol that it has."""
        symbol = self.published["symbol"].values["the standard", "symbol"]
        pair = {"one GPU": streams.cells[steps.ORDERED.name], "two GPUs": streams.cells["two GPUs"]}
        return {name: next(iter(times.values())).over(symbol) for name, times in pair.items()}

    def over_deadline(self, receiver: Grid) -> Rows:
        """Times a symbol over the standard's."""
        return {row: {n: _over(time, _DEADLINE) for n, time in each.items()} for row, each in receiver.cells.items()}

    def over_undivided(self, divided: Grid) -> Rows:
        """Times of batches over the first published one's: undivided, of 32-bit samples."""
        first = divided.values.get(next(iter(self.published["divided"].values)))
        if first is None:
            return {}
        return {row: {n: time.over(first) for n, time in each.items()} for row, each in divided.cells.items()}

    def rates(self, grid: Grid) -> Rows:
        """5 N log2 N over the times in microseconds, in 10^9 operations a second (equation 4)."""
        operations = Spread.exact(5 * POINTS * (POINTS.bit_length() - 1) / 1e3)
        return {row: {n: operations.over(time) for n, time in each.items()} for row, each in grid.cells.items()}

    def part_shares(self, parts: Grid) -> dict[str, dict[Point, float]]:
        """The parts of a batch's time, as differences of the runs (i) to (iii) of section 4.4.1."""
        found: dict[str, dict[Point, float]] = {}
        runs = [parts.cells.get(row, {}) for row in (TRANSFERS, CONVERTED, EMPTY, WHOLE)]
        for point in [point for point in runs[0] if all(point in row for row in runs)]:
            copies, converted, empty, whole = (row[point].middle for row in runs)
            taken = {"copies": copies, "conversion": converted - copies}
            taken |= {"kernel call": empty, "transform": whole - converted}
            for name, time in taken.items():
                found.setdefault(name, {})[point] = time / whole
        return found

    def steps_over_plain(self, streams: Grid) -> Rows:
        """The steps over the first of them, measured or published."""
        ratios = {name: streams.ratios([step.name], [steps.PLAIN.name]) for name, step in _PLOTTED.items()}
        return {"steps": {name: next(iter(each.values())) for name, each in ratios.items() if each}}

    def ways(self, divided: Grid) -> Rows:
        """Times of one batch over the first published one's, by kernel, streams and width, measured or published."""
        times = divided.values
        first, *others = self.published["divided"].values
        return {
            "ways": {", ".join(key): times[key].over(times[first]) for key in others if {key, first} <= times.keys()}
        }


def _over_batch(batches: Grid, least: int) -> dict[Point, Spread]:
    """The times a transform in batches of more than `least` over the time in such a batch, radix 2."""
    times = batches.cells.get(steps.RADIX_2, {})
    return {batch: each.over(times[least]) for batch, each in times.items() if batch > least and least in times}


def _case(batch: int) -> Case:
    return Case((batch, POINTS), axes=(1,), storage=STORAGES["buffer"])


def _a_transform(make: Maker, count: int) -> Maker:
    """A batch, timed as it times itself, with the time divided by its transforms."""

    def divided(stack: ExitStack) -> Sampled:
        subject = make(stack)
        return Sampled(lambda: subject.sample() / count, subject.timer, subject.prepare)

    return divided


def _on_device(run: Run, batch: int) -> dict[str, Maker]:
    case = _case(batch)
    makers = {**run.plans(case, _ALGORITHMS), **hinitt_batches.on_device(run, case), **run.libraries(case)}
    return {name: _a_transform(make, batch) for name, make in makers.items()}


def _over(time: Spread, whole: float) -> Spread:
    return time.over(Spread.exact(whole))
