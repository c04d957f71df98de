"""Hinitt and Kocak's steps and published times, as data."""

from __future__ import annotations

from dataclasses import dataclass

from glfft.demos.ofdm.numbers import SECONDS_A_SYMBOL
from glfft.demos.ofdm.settings import FIXED8, FLOAT16, FLOAT32
from glfft.papers.grid import Spread
from glfft.papers.published import HINITT, Numbers

RADIX_2, RADIX_8, PADDED = "stockham-radix2", "radix-8", "radix-8-padded"

# Blocks under way at once in streams that overlap them.
IN_FLIGHT = 4


@dataclass(frozen=True)
class Step:
    """A step of the paper, as a stream.

    Attributes:
        name: the name in reports.
        published: microseconds a transform on a GeForce GTX 260 (tables 4 and 6, section 5.2.1).
        width: bits and kind of the samples that go up, and of the numbers that come down.
        algorithm: the transforms' algorithm.
        mapped: whether buffers stay mapped, which is what page-locked memory is here.
        in_flight: blocks under way at once, as in the paper's streams.
    """

    name: str
    published: float
    width: str = FLOAT32
    algorithm: str = RADIX_2
    mapped: bool = True
    in_flight: int = IN_FLIGHT


PLAIN = Step("large batches, plain buffers", 4.15, mapped=False, in_flight=1)
LOCKED = Step("buffers that stay mapped", 2.83, in_flight=1)
OVERLAPPED = Step("blocks overlapped", 2.54)
HALF = Step("16-bit samples", 1.34, FLOAT16)
FIXED = Step("8-bit samples", 0.534, FIXED8)
EIGHT = Step("8 points a thread", 0.459, FIXED8, RADIX_8)
ORDERED = Step("another order in shared memory", 0.392, FIXED8, PADDED)
STEPS = (PLAIN, LOCKED, OVERLAPPED, HALF, FIXED, EIGHT, ORDERED)

# Microseconds a transform before the first step, and with two GPUs after the last.
ORIGINAL, TWO_GPUS = 7.0, 0.197

# Microseconds of a transform without transfers: by cuFFT, and with 8 points a thread (sections 4.4.2 and 5.2.1).
CUFFT_ALONE, NEW_ALONE = 0.36, 0.269

# Tables 2 and 3: microseconds of the parts of a transform's time, in one stream.
BREAKDOWN = {
    "16-bit": {"copies": 1.024, "conversion": 0.603, "kernel call": 0.0028, "transform": 0.423},
    "8-bit": {"copies": 0.32, "conversion": 0.08, "kernel call": 0.0028, "transform": 0.36},
}

# The standard's time for a symbol, in microseconds.
DEADLINE = SECONDS_A_SYMBOL * 1e6
# Table 1 has it rounded.
SYMBOL = 0.22695

# Table 6: microseconds a transform and 10^9 operations a second.
GFLOPS = {
    "cuFFT at first": (ORIGINAL, 3.29),
    "cuFFT with all five steps": (FIXED.published, 43.15),
    EIGHT.name: (EIGHT.published, 50.2),
    ORDERED.name: (ORDERED.published, 58.78),
    "two GPUs": (TWO_GPUS, 116.95),
}

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
)


def over_deadline(time: Spread) -> Spread:
    """A time in microseconds over the standard's time for a symbol."""
    return time.over(Spread(DEADLINE, DEADLINE, DEADLINE))
