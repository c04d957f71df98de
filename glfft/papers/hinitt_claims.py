"""What Hinitt and Kocak conclude, section by section, and what our times say of it."""

from __future__ import annotations

from dataclasses import replace

from glfft.demos.ofdm.settings import FIXED8, FLOAT32
from glfft.papers import hinitt_batch_claims, hinitt_batches
from glfft.papers.chapter import FASTER, NO_DIFFERENCE, Conclusion, Measured
from glfft.papers.grid import Grid, Point, Spread
from glfft.papers.hinitt_batch_claims import with_transfers
from glfft.papers.hinitt_batches import BITS, NEW, PERMUTED, PLANAR, REORDERED, SETS, computed_row
from glfft.papers.hinitt_steps import (
    BREAKDOWN,
    CUFFT_ALONE,
    EIGHT,
    FIXED,
    HALF,
    LOCKED,
    NEW_ALONE,
    ORDERED,
    ORIGINAL,
    OVERLAPPED,
    PLAIN,
    RADIX_2,
    RADIX_8,
    SYMBOL,
    TWO_GPUS,
    Step,
    over_deadline,
)
from glfft.papers.published import HINITT, Place

# How ratios of times without transfers are named.
_DEVICE = "transforms on the device alone"

_ON_CPU = "The device is a software renderer: no numbers go to another device, and none is faster than the CPU."

# The batch of the published times, from section 4.1 on.
_BATCH = "more than 16384"


def conclusions(measured: Measured) -> list[Conclusion]:
    """The paper's conclusions, in the order of the report."""
    return [
        *_batches(measured),
        *_transfers(measured),
        *hinitt_batch_claims.conclusions(measured),
        *_kernels(measured),
        *_orders(measured),
        *_the_standard(measured),
    ]


def _batches(measured: Measured) -> list[Conclusion]:
    """Section 4.1: the size of a batch."""
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
            (1 - NO_DIFFERENCE, 1 + NO_DIFFERENCE),
            points="batch",
            remark=f"Less than {NO_DIFFERENCE:.0%} counts as insignificant.",
            places=(HINITT.line(127),),
            proxy="The paper's times are with transfers. Ours are of transforms on the device.",
        ),
    ]


def _transfers(measured: Measured) -> list[Conclusion]:
    """Sections 4.2 to 4.4: buffers, streams and the width of samples."""
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


def _kernels(measured: Measured) -> list[Conclusion]:
    """Section 5: the kernel with 8 points a thread."""
    batches = measured["batches"]
    radix_2, sets = (computed_row(name) for name in (PLANAR, SETS))
    return [
        Conclusion(
            "8 points a thread take 459 ns, after 534 with radix 2 (4.4.2, 5.2.1).",
            "8 points a thread / radix 2, with transfers in four streams",
            {_BATCH: EIGHT.published / FIXED.published},
            with_transfers(measured, NEW, hinitt_batches.RADIX_2),
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
            reason=batches.why_without("cufft"),
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


def _orders(measured: Measured) -> list[Conclusion]:
    """Sections 5.3 and 5.4: the order of accesses, and two GPUs."""
    batches = measured["batches"]
    return [
        Conclusion(
            '"The order of accesses to the shared memory is modified", and "this has a significant impact on the '
            'algorithm performance" (1.1, 5.3).',
            "points and threads in another order / as they were, with transfers in four streams",
            {_BATCH: ORDERED.published / EIGHT.published},
            with_transfers(measured, hinitt_batches.ORDERED, NEW),
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


def _the_standard(measured: Measured) -> list[Conclusion]:
    """Sections 4.4.2, 5.4 and 6: whether it is enough for WirelessHD."""
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
            _best_over_deadline(streams, [EIGHT.name, ORDERED.name]),
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
    return {BITS[step.width]: replace(alone[-1], samples=()).over(replace(steps[-1], samples=()))}


def _best_over_deadline(grid: Grid, rows: list[str]) -> dict[Point, Spread]:
    """The best of some rows over the standard's time for a symbol."""
    found = {point: grid.best(rows, point) for point in grid.points}
    return {point: over_deadline(best) for point, best in found.items() if best is not None}
