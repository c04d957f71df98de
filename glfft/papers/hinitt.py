"""Hinitt and Kocak, GPU-based FFT for WirelessHD: streams of transforms, their steps, and the receiver they aim at."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.accuracy import snr_db
from glfft.algorithms.storage import STORAGES
from glfft.bench.cases import Case
from glfft.demos.ofdm.numbers import SECONDS_A_SYMBOL
from glfft.demos.ofdm.reception import Reception
from glfft.demos.ofdm.settings import FIXED8, FLOAT16, FLOAT32, LinkSettings
from glfft.errors import AccuracyError
from glfft.papers import hinitt_batches
from glfft.papers.chapter import FASTER, Chapter, Conclusion, Figure, Measured, Table
from glfft.papers.grid import Grid, Point, Spread
from glfft.papers.hinitt_batches import PERMUTED, PLANAR, REORDERED, SETS, computed_row, with_transfers
from glfft.papers.published import HINITT, Numbers, Place
from glfft.papers.run import Maker, Run
from glfft.papers.sampled_transforms import FLOORS_DB, POINTS, SampledTransforms, numbers
from glfft.streaming.stream import Stream

RADIX_2, RADIX_8, PADDED, AUTO = "stockham-radix2", "radix-8", "radix-8-padded", "auto"
_ALGORITHMS = (RADIX_2, RADIX_8, PADDED, AUTO)

# Of the receiver's transforms.
_RECEIVERS = AUTO

BATCHES = (1, 16, 256, 2048, 8192, 16384)
QUICK_BATCHES = (1, 256)

# Of a stream: transforms of a block, by whether the renderer is software.
STREAM_BATCHES = {False: 16384, True: 256}
_BLOCKS = 8
_IN_FLIGHT = 4

# Symbols of the receiver's blocks, likewise, and bits to count the errors of.
SYMBOLS = {False: 5632, True: 352}
ERROR_BITS = 1_000_000
_ERRORS_DB = 8.0


@dataclass(frozen=True)
class Step:
    """A step of the paper, as a stream.

    Attributes:
        name: what reports call it.
        published: microseconds a transform on a GeForce GTX 260 (tables 4 and 6, section 5.2.1).
        width: of samples that go up and of numbers that come down.
        algorithm: of the transforms.
        mapped: whether buffers stay mapped, which is what page-locked memory is here.
        in_flight: blocks under way at once, as the paper's streams.
    """

    name: str
    published: float
    width: str = FLOAT32
    algorithm: str = RADIX_2
    mapped: bool = True
    in_flight: int = _IN_FLIGHT


PLAIN = Step("large batches, plain buffers", 4.15, mapped=False, in_flight=1)
LOCKED = Step("buffers that stay mapped", 2.83, in_flight=1)
OVERLAPPED = Step("blocks overlapped", 2.54)
HALF = Step("16-bit samples", 1.34, FLOAT16)
FIXED = Step("8-bit samples", 0.534, FIXED8)
EIGHT = Step("8 points a thread", 0.459, FIXED8, RADIX_8)
ORDERED = Step("another order in shared memory", 0.392, FIXED8, PADDED)
STEPS = (PLAIN, LOCKED, OVERLAPPED, HALF, FIXED, EIGHT, ORDERED)

ORIGINAL, TWO_GPUS = 7.0, 0.197

# Of a transform alone, in microseconds: cuFFT's, and that with 8 points a thread (sections 4.4.2 and 5.2.1).
CUFFT_ALONE, NEW_ALONE = 0.36, 0.269

# Tables 2 and 3: what a transform's time goes to, in microseconds, in one stream.
BREAKDOWN = {
    "16-bit": {"copies": 1.024, "conversion": 0.603, "kernel call": 0.0028, "transform": 0.423},
    "8-bit": {"copies": 0.32, "conversion": 0.08, "kernel call": 0.0028, "transform": 0.36},
}

# Of a time.
_NO_DIFFERENCE = 0.05

# Times without transfers, in ratios.
_DEVICE = "transforms on the device alone"

_ON_CPU = "The device is a software renderer: no numbers go to another device, and none is faster than the CPU."

# The standard's time for a symbol, in microseconds.
DEADLINE = SECONDS_A_SYMBOL * 1e6
# As table 1 has it.
SYMBOL = 0.22695

# Table 6: microseconds a transform and 10^9 operations a second.
GFLOPS = {
    "cuFFT at first": (ORIGINAL, 3.29),
    "cuFFT with all five steps": (FIXED.published, 43.15),
    EIGHT.name: (EIGHT.published, 50.2),
    ORDERED.name: (ORDERED.published, 58.78),
    "two GPUs": (TWO_GPUS, 116.95),
}

# Of the published times, from section 4.1 on.
_BATCH = "more than 16384"

NUMBERS = (
    Numbers(HINITT.line(218), (ORIGINAL,)),
    *(Numbers(HINITT.line(219 + 2 * place), (step.published,)) for place, step in enumerate(STEPS[:5])),
    Numbers(HINITT.line(272), (EIGHT.published,), 1000),
    Numbers(HINITT.line(303), (ORDERED.published,), 1000),
    Numbers(HINITT.line(305), (TWO_GPUS,), 1000),
    *(Numbers(HINITT.line(385 + place), row) for place, row in enumerate(GFLOPS.values())),
    Numbers(HINITT.line(172), tuple(BREAKDOWN["16-bit"].values())),
    Numbers(HINITT.line(197), tuple(BREAKDOWN["8-bit"].values()), 1000),
    Numbers(HINITT.line(207), (CUFFT_ALONE,), 1000),
    Numbers(HINITT.line(276), (NEW_ALONE,), 1000),
    Numbers(HINITT.line(110), (SYMBOL,), 1000),
    *hinitt_batches.NUMBERS,
)


class Hinitt(Chapter):
    """Batches on the device, streams with transfers, and the whole receiver."""

    name = "hinitt"
    title = "Hinitt and Kocak, GPU-Based FFT Computation for Multi-Gigabit WirelessHD Baseband Processing (2010)"
    measures = (
        "Transforms of 512 points: in batches that stay on the device; in streams, where samples go up and spectra "
        "come down, one step of the paper after the other; in one batch divided over streams, with the paper's "
        "kernels; and the receiver that it aims at, from samples to bits."
    )
    published_on = "GeForce GTX 260, CUDA"
    numbers = NUMBERS

    def measure(self, run: Run) -> dict[str, Grid]:
        batches = QUICK_BATCHES if run.quick else BATCHES
        count = STREAM_BATCHES[run.software] // (4 if run.quick else 1)
        # A software renderer takes a minute for a larger one.
        most = 2048 if run.software else batches[-1]
        on_device = run.time({batch: _on_device(run, batch) for batch in batches if batch <= most})
        streams = run.time(
            {
                count: {
                    **{step.name: _maker(run.ctx, step, count) for step in STEPS},
                    **{name: _a_transform(make, count) for name, make in run.libraries(_case(count)).items()},
                }
            }
        )
        symbols = SYMBOLS[run.software]
        receivers = {
            f"{each}, {_blocks(in_flight)}": _receiver(run.ctx, each, symbols, in_flight)
            for each in (FLOAT32, FLOAT16, FIXED8)
            for in_flight in (1, _IN_FLIGHT)
        }
        receivers[_DIRECT] = _receiver(run.ctx, FIXED8, symbols, _IN_FLIGHT, direct=True)
        return {
            "batches": on_device,
            "streams": streams,
            "receiver": run.time({symbols: receivers}),
            "errors": _errors(run.ctx, ERROR_BITS // (4 if run.quick else 1)),
            **hinitt_batches.measure(run, count),
        }

    def tables(self, measured: Measured) -> list[Table]:
        published = {step.name: {"GTX 260": step.published} for step in STEPS}
        streams, batches = measured["streams"], measured["batches"]
        return [
            Table(
                "Published",
                f"Microseconds a transform on a {self.published_on}, with transfers (tables 4 and 6).",
                "device",
                {"cuFFT at first": {"GTX 260": ORIGINAL}, **published, "two GPUs": {"GTX 260": TWO_GPUS}},
            ),
            Table(
                "Where the time goes, published",
                f"Microseconds a transform on a {self.published_on} (tables 2 and 3).",
                "part",
                BREAKDOWN,
            ),
            Table(
                "Operations a second, published",
                f"10⁹ of them on a {self.published_on}, by the paper's formula, 5 N log₂ N over the time (table 6).",
                "device",
                {name: {"GTX 260": number} for name, (_, number) in GFLOPS.items()},
            ),
            Table(
                "Streams here",
                f"Times a transform, with transfers, as multiples of those of {streams.reference} on the same machine, "
                "whose numbers stay where they are.",
                "transforms a block",
                streams.relative(streams.reference),
            ),
            Table(
                "Batches here",
                f"Times on the device as multiples of those of {batches.reference} on the same machine.",
                "batch",
                batches.relative(batches.reference),
            ),
            Table(
                "The receiver here",
                f"Times a symbol, with transfers, as multiples of the {DEADLINE * 1e3:.2f} ns that the standard has "
                "for one. Its 2.538 billion samples a second are kept up with below 1.",
                "symbols a block",
                {row: {p: _over(v, DEADLINE) for p, v in cells.items()} for row, cells in _rows(measured["receiver"])},
            ),
            Table(
                "Wrong bits here",
                f"Share of wrong bits of the receiver in white noise, Eb/N0 {_ERRORS_DB:g} dB.",
                "samples",
                dict(_rows(measured["errors"])),
            ),
            *hinitt_batches.tables(measured),
        ]

    def conclusions(self, measured: Measured) -> list[Conclusion]:
        return [
            *_of_batches(measured),
            *_of_transfers(measured),
            *hinitt_batches.conclusions(measured),
            *_of_kernels(measured),
            *_of_orders(measured),
            *_of_the_standard(measured),
        ]

    def figures(self, measured: Measured) -> list[Figure]:
        streams = measured["streams"]
        pairs = {"plain": PLAIN, "mapped": LOCKED, "overlapped": OVERLAPPED, "16-bit": HALF, "8-bit": FIXED}
        pairs |= {"8 points": EIGHT, "order": ORDERED}
        return [
            Figure(
                "One step after the other",
                "time a transform / with plain buffers",
                {"steps": {name: step.published / PLAIN.published for name, step in pairs.items()}},
                {
                    "steps": {
                        name: ratio
                        for name, step in pairs.items()
                        for ratio in streams.ratios([step.name], [PLAIN.name]).values()
                    }
                },
                points="step",
            ),
            hinitt_batches.figure(measured),
        ]


class StreamCall:
    """A stream, timed by the wall clock: blocks that are fed and taken, transfers included.

    Args:
        stream: what is timed.
        block: what is fed each time.
        each: of what the time is taken: transforms of a block.
    """

    timer = "wall"

    def __init__(self, stream: Stream, block: npt.NDArray[Any], each: int) -> None:
        self._stream, self._block, self._each = stream, block, each
        self._results: npt.NDArray[Any] | None = None

    def prepare(self) -> None:
        self.sample()

    def sample(self) -> float:
        stream = self._stream
        begun = time.perf_counter()
        for _ in range(_BLOCKS):
            if stream.under_way == stream.in_flight:
                self._results = stream.take(self._results)
            stream.feed(self._block)
        while stream.under_way:
            self._results = stream.take(self._results)
        return (time.perf_counter() - begun) * 1e6 / (_BLOCKS * self._each)


class _PerTransform:
    """A batch timed as ever, and its time divided by its transforms."""

    def __init__(self, subject: Any, count: int) -> None:
        self.timer = subject.timer
        self._subject, self._count = subject, count

    def prepare(self) -> None:
        self._subject.prepare()

    def sample(self) -> float:
        return self._subject.sample() / self._count


def _case(batch: int) -> Case:
    return Case((batch, POINTS), axes=(1,), storage=STORAGES["buffer"])


def _a_transform(make: Maker, count: int) -> Maker:
    return lambda stack: _PerTransform(make(stack), count)


def _on_device(run: Run, batch: int) -> dict[str, Maker]:
    case = _case(batch)
    makers = {**run.plans(case, _ALGORITHMS), **hinitt_batches.on_device(run, case), **run.libraries(case)}
    return {name: _a_transform(make, batch) for name, make in makers.items()}


def _maker(ctx: moderngl.Context, step: Step, count: int) -> Maker:
    def make(stack: ExitStack) -> StreamCall:
        transforms = stack.enter_context(TransformStream(ctx, step, count))
        block, exact = numbers(step.width, count)
        transforms.stream.feed(block)
        found = snr_db(transforms.decode(transforms.stream.take()), exact)
        if found < FLOORS_DB[step.width]:
            raise AccuracyError(f"The stream of {step.name} is wrong: {found:.1f} dB.")
        return StreamCall(transforms.stream, block, count)

    return make


class TransformStream:
    """A stream of batches of transforms, whose numbers go up and come down in a width.

    Args:
        ctx: the context.
        step: which.
        count: transforms of a block.
    """

    def __init__(self, ctx: moderngl.Context, step: Step, count: int) -> None:
        self._transforms = SampledTransforms(ctx, step.width, step.algorithm, count)
        layout = self._transforms.layout
        self.stream = Stream(
            ctx, self._transforms, block=layout, result=layout, in_flight=step.in_flight, mapped=step.mapped or False
        )
        self.decode = self._transforms.decode

    def __enter__(self) -> TransformStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.release()
        self._transforms.release()


def _blocks(in_flight: int) -> str:
    return "one block at a time" if in_flight == 1 else f"{in_flight} blocks in flight"


_DIRECT = f"{FIXED8}, {_blocks(_IN_FLIGHT)}, read where they are written"


def _receiver(ctx: moderngl.Context, width: str, symbols: int, in_flight: int, direct: bool = False) -> Maker:
    def make(stack: ExitStack) -> ReceiverCall:
        settings = LinkSettings(
            samples=width,
            symbols=symbols,
            in_flight=in_flight,
            direct=direct,
            bit_energy_db=40.0,
            algorithm=_RECEIVERS,
        )
        reception = stack.enter_context(Reception(ctx, settings))
        reception.step(0.0)
        wrong, bits = reception.counted[settings.bit_energy_db]
        if wrong > bits / 1000:
            raise AccuracyError(f"The receiver of {width} samples is wrong: {wrong} of {bits} bits.")
        return ReceiverCall(reception)

    return make


class ReceiverCall:
    """The receiver, timed by the wall clock, transfers included: microseconds a symbol."""

    timer = "wall"

    def __init__(self, reception: Reception) -> None:
        self._reception = reception

    def prepare(self) -> None:
        self.sample()

    def sample(self) -> float:
        return self._reception.receive(_BLOCKS) * 1e6


def _errors(ctx: moderngl.Context, bits: int) -> Grid:
    """The share of wrong bits by width, off by a standard deviation."""
    grid = Grid()
    for width in (FLOAT32, FLOAT16, FIXED8, "fixed4"):
        settings = LinkSettings("flat", _ERRORS_DB, width, symbols=SYMBOLS[True], algorithm=RADIX_8)
        with Reception(ctx, settings) as reception:
            reception.count(bits, most_errors=bits)
            wrong, of = reception.counted[_ERRORS_DB]
        rate, off = wrong / of, float(np.sqrt(max(wrong, 1))) / of
        grid.values[width, f"{_ERRORS_DB:g} dB"] = Spread(rate, rate - off, rate + off)
    return grid


def _of_batches(measured: Measured) -> list[Conclusion]:
    """Section 4.1."""
    batches = measured["batches"]
    return [
        Conclusion(
            '"As the batch size increased, the processing time per FFT reduced" (4.1).',
            "a transform in a batch / alone, radix 2",
            {"large": PLAIN.published / ORIGINAL},
            _in_batches(batches, RADIX_2),
            points="batch",
            places=(HINITT.line(127),),
            proxy="The paper's pair of times is cuFFT's before and after that step, with transfers. Ours are of "
            "transforms on the device, in batches and alone.",
        ),
        Conclusion(
            'Overheads "become insignificant to the execution time when the batch size rises above 8192 FFTs" (4.1, '
            "figure 5).",
            "a transform in a batch of 16384 / of 8192, radix 2",
            {},
            _beyond(batches, RADIX_2, 8192),
            (1 - _NO_DIFFERENCE, 1 + _NO_DIFFERENCE),
            points="batch",
            remark=f"Less than {_NO_DIFFERENCE:.0%} counts as insignificant.",
            places=(HINITT.line(127),),
            proxy="The paper's times are with transfers. Ours are of transforms on the device.",
        ),
    ]


def _of_transfers(measured: Measured) -> list[Conclusion]:
    """Sections 4.2 to 4.4."""
    batches, streams = measured["batches"], Grid() if measured.software else measured["streams"]
    return [
        _step(
            streams,
            'Page-locked memory and radix 2 "offered a significant improvement" (4.2).',
            "mapped buffers / plain ones",
            LOCKED,
            PLAIN,
            HINITT.line(146),
            "OpenGL has no page-locked memory to ask for: a buffer that stays mapped is the nearest thing. Both are "
            "radix 2 here; the paper went from cuFFT to radix 2 in the same step.",
        ),
        _step(
            streams,
            '"Streams decreased the calculation time by 290 ns", from 2.83 µs (4.2, 4.3).',
            "overlapped / one after the other",
            OVERLAPPED,
            LOCKED,
            HINITT.lines(146, 152),
            "Here several whole batches are under way at once. The paper divides one, as the next row does.",
        ),
        _step(
            streams,
            '16-bit samples "had a significant impact on the calculation rate of the algorithm" (4.4.1).',
            "16-bit / 32-bit",
            HALF,
            OVERLAPPED,
            HINITT.line(184),
        ),
        _step(
            streams,
            'With 8-bit samples "the overall computation performance significantly improved" (4.4.2).',
            "8-bit / 16-bit",
            FIXED,
            HALF,
            HINITT.lines(201, 209),
        ),
        Conclusion(
            '"The memory transfer time was a limiting factor in the performance of the algorithm", in 32 bits (4.3).',
            "the transform alone / all of its time, radix 2",
            {name: parts["transform"] / sum(parts.values()) for name, parts in BREAKDOWN.items()},
            _alone_over(batches, streams, OVERLAPPED),
            range=(0.0, 0.5),
            points="samples",
            reason=_ON_CPU,
            remark="It counts as limiting where transforms take less than half. The paper has a breakdown for its "
            "narrower samples only (tables 2 and 3).",
            places=(HINITT.line(152), HINITT.line(174), HINITT.line(172), HINITT.line(197)),
        ),
    ]


def _of_kernels(measured: Measured) -> list[Conclusion]:
    """Section 5."""
    batches = measured["batches"]
    radix_2, sets = (computed_row(name) for name in (PLANAR, SETS))
    return [
        Conclusion(
            "8 points a thread take 459 ns, after 534 with radix 2 (4.4.2, 5.2.1).",
            "8 points a thread / radix 2, with transfers in four streams",
            {_BATCH: EIGHT.published / FIXED.published},
            with_transfers(measured, hinitt_batches.NEW, hinitt_batches.RADIX_2),
            points="samples",
            places=(HINITT.lines(207, 272),),
        ),
        Conclusion(
            'The computation alone takes 269 ns, "a 25% improvement on the CUDA FFT algorithm" (5.2.1).',
            f"8 points a thread / radix 2, {_DEVICE}",
            {_BATCH: NEW_ALONE / CUFFT_ALONE},
            batches.ratios([sets], [radix_2]),
            points="batch",
            remark="Both compute their factors in the kernel.",
            places=(HINITT.line(274), HINITT.line(207)),
        ),
        Conclusion(
            "That algorithm was cuFFT's radix 2 of 2008: the new kernel is faster than cuFFT (4.2, 5.2.1).",
            f"8 points a thread / cuFFT, {_DEVICE}",
            {_BATCH: NEW_ALONE / CUFFT_ALONE},
            batches.ratios([SETS, sets, PERMUTED, REORDERED, computed_row(REORDERED)], ["cufft"]),
            points="batch",
            reason="It takes cuFFT, and there is none here.",
            remark="The cuFFT here is today's. The best of the orders of accesses counts.",
            places=(HINITT.line(274), HINITT.line(207), HINITT.line(428)),
        ),
        Conclusion(
            '"Consideration was given to radix-8", and its "additional complexity" was "thought inappropriate" (5).',
            f"radix 2 in sets of three stages / radix 8, both with 8 points a thread, {_DEVICE}",
            {},
            batches.ratios([SETS], [RADIX_8]),
            points="batch",
            remark="Both exchange twice, and read their factors.",
            places=(HINITT.line(234),),
        ),
    ]


def _of_orders(measured: Measured) -> list[Conclusion]:
    """Sections 5.3 and 5.4."""
    batches = measured["batches"]
    return [
        Conclusion(
            '"The order of accesses to the shared memory is modified", and "this has a significant impact on the '
            'algorithm performance" (1.1, 5.3).',
            "points and threads in another order / as they were, with transfers in four streams",
            {_BATCH: ORDERED.published / EIGHT.published},
            with_transfers(measured, hinitt_batches.ORDERED, hinitt_batches.NEW),
            points="samples",
            places=(HINITT.line(54), HINITT.line(303)),
            proxy="The paper shows a sample of its order, in a figure that the text at hand has not. The order here is "
            "one in which no two of sixteen threads meet in a bank.",
        ),
        Conclusion(
            '"Both memory save/load structures were therefore modified to improve their access performance" (5.3).',
            f"points and threads in another order / as they were, {_DEVICE}",
            {},
            batches.ratios([REORDERED], [SETS]),
            points="batch",
            places=(HINITT.line(288),),
            proxy="The paper has times with transfers only.",
        ),
        Conclusion(
            "With two GPUs a transform takes 197 ns, and 394 on each (5.4).",
            "two GPUs / one",
            {_BATCH: TWO_GPUS / ORDERED.published},
            range=(0.0, 0.55),
            reason="A context of OpenGL has one GPU, and a run of the report has one context.",
            places=(HINITT.line(305),),
        ),
    ]


def _of_the_standard(measured: Measured) -> list[Conclusion]:
    """What the paper is for."""
    streams = Grid() if measured.software else measured["streams"]
    return [
        Conclusion(
            '"It was determined that 8-bit accuracy would be sufficient to represent the requested data" (4.4.2).',
            "wrong bits with 8-bit samples / with 32-bit samples",
            {},
            measured["errors"].ratios([FIXED8], [FLOAT32]),
            range=(0.0, 1.1),
            points="samples",
            remark="The receiver in white noise, to bits; a tenth more counts as none. The paper counts the points of "
            "a constellation.",
            places=(HINITT.line(203),),
        ),
        Conclusion(
            'With two GPUs the rate is "more than sufficient to fulfil the full WirelessHD specification" (5.4, 6).',
            "time a transform, in 8 bits with transfers / the standard's time a symbol",
            {"one GPU": ORDERED.published / SYMBOL, "two GPUs": TWO_GPUS / SYMBOL},
            _over_all(streams, [EIGHT.name, ORDERED.name], DEADLINE),
            points="transforms a block",
            reason=_ON_CPU,
            remark="The deadline is the standard's, on any device. One GPU is used here.",
            places=(HINITT.line(400), HINITT.line(305)),
        ),
    ]


def _step(
    grid: Grid, claim: str, ratio: str, over: Step, under: Step, place: Place, proxy: str = "", remark: str = ""
) -> Conclusion:
    """A claim about a step of the paper against one before it, and its place."""
    return Conclusion(
        claim,
        ratio,
        {_BATCH: over.published / under.published},
        grid.ratios([over.name], [under.name]),
        FASTER,
        _ON_CPU,
        remark,
        "transforms a block",
        (place,),
        proxy,
    )


def _in_batches(grid: Grid, row: str) -> dict[Point, Spread]:
    """The times a transform in batches over that of one alone."""
    alone = grid.values.get((row, 1))
    batches = [point for point in grid.points if point != 1 and (row, point) in grid.values]
    return {} if alone is None else {batch: grid.values[row, batch].over(alone) for batch in batches}


def _beyond(grid: Grid, row: str, most: int) -> dict[Point, Spread]:
    """The times a transform in batches above a size over that in one of this size."""
    under = grid.values.get((row, most))
    larger = [point for point in grid.points if point > most and (row, point) in grid.values]
    return {} if under is None else {batch: grid.values[row, batch].over(under) for batch in larger}


def _alone_over(batches: Grid, streams: Grid, step: Step) -> dict[Point, Spread]:
    """The time a transform in the largest batch over that of a step, which were not measured in turn."""
    alone = [batches.values[RADIX_2, point] for point in batches.points if (RADIX_2, point) in batches.values]
    steps = [streams.values[step.name, point] for point in streams.points if (step.name, point) in streams.values]
    if not alone or not steps:
        return {}
    return {hinitt_batches.BITS[step.width]: replace(alone[-1], samples=()).over(replace(steps[-1], samples=()))}


def _rows(grid: Grid) -> list[tuple[str, Mapping[Point, Spread]]]:
    return [
        (row, {point: grid.values[row, point] for point in grid.points if (row, point) in grid.values})
        for row in grid.rows
    ]


def _over(value: Spread, under: float) -> Spread:
    return value.over(Spread(under, under, under))


def _over_all(grid: Grid, rows: list[str], under: float) -> dict[Point, Spread]:
    """The best of some rows over a number."""
    found = {point: grid.best(rows, point) for point in grid.points}
    return {point: _over(best, under) for point, best in found.items() if best is not None}
