"""Hinitt and Kocak's steps as streams of transforms with their transfers, timed by the wall clock; and the receiver
that the transforms are for: its time a symbol, and its share of wrong bits.
"""

from contextlib import ExitStack
from dataclasses import dataclass

import moderngl
import numpy as np

from glfft.apps.ofdm.link.reception import Reception
from glfft.apps.ofdm.link.settings import FIXED8, FLOAT16, FLOAT32, LinkSettings
from glfft.apps.papers.grid import Grid, Spread
from glfft.apps.papers.measuring import Maker, Run, Sampled, check_snr
from glfft.apps.papers.sampled_transforms import FLOORS_DB, SampledTransforms, numbers
from glfft.apps.signal_to_noise import snr_db
from glfft.errors import AccuracyError
from glfft.streaming.stream import Stream

RADIX_2, RADIX_8, PADDED = "stockham-radix2", "radix-8", "radix-8-padded"

# Blocks under way at once in streams that overlap them.
IN_FLIGHT = 4

# Blocks of a sample.
BLOCKS = 8


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


def step_maker(ctx: moderngl.Context, step: Step, count: int) -> Maker:
    """The stream of a step as a row: blocks of `count` transforms that are fed and taken, transfers included."""

    def make(stack: ExitStack) -> Sampled:
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

        return Sampled.repeated(blocks, 1, BLOCKS * count)

    return make


def open_stream(ctx: moderngl.Context, step: Step, count: int, stack: ExitStack) -> tuple[SampledTransforms, Stream]:
    """The transforms of a step, and its stream of blocks of `count` of them, which are released with the stack: numbers
    go up and come down in the step's width.
    """
    transforms = SampledTransforms(ctx, step.width, step.algorithm, count)
    stack.callback(transforms.release)
    layout = transforms.layout
    stream = Stream(ctx, transforms, block=layout, result=layout, in_flight=step.in_flight, mapped=step.mapped)
    stack.callback(stream.release)
    return transforms, stream


# The algorithm of the receiver's transforms.
ALGORITHM = "auto"

# Symbols of a block, by whether the renderer is software.
SYMBOLS = {False: 5632, True: 352}

# Bits to count the errors of, and their energy over the noise's.
ERROR_BITS = 1_000_000
ERRORS_DB = 8.0


def measure_receiver(run: Run) -> dict[str, Grid]:
    """Microseconds a symbol by width and blocks in flight, and the share of wrong bits by width."""
    symbols = SYMBOLS[run.software]
    receivers = {
        f"{each}, {_blocks(in_flight)}": _receiver(run.ctx, each, symbols, in_flight)
        for each in (FLOAT32, FLOAT16, FIXED8)
        for in_flight in (1, IN_FLIGHT)
    }
    receivers[_DIRECT] = _receiver(run.ctx, FIXED8, symbols, IN_FLIGHT, direct=True)
    return {
        "receiver": run.time({symbols: receivers}),
        "errors": _errors(run.ctx, ERROR_BITS // (4 if run.quick else 1)),
    }


def _blocks(in_flight: int) -> str:
    return "one block at a time" if in_flight == 1 else f"{in_flight} blocks in flight"


_DIRECT = f"{FIXED8}, {_blocks(IN_FLIGHT)}, read where they are written"


def _receiver(ctx: moderngl.Context, width: str, symbols: int, in_flight: int, direct: bool = False) -> Maker:
    def make(stack: ExitStack) -> Sampled:
        settings = LinkSettings(
            samples=width, symbols=symbols, in_flight=in_flight, direct=direct, bit_energy_db=40.0, algorithm=ALGORITHM
        )
        reception = stack.enter_context(Reception(ctx, settings))
        reception.step(0.0)
        wrong, bits = reception.counted[settings.bit_energy_db]
        if wrong > bits / 1000:
            raise AccuracyError(f"The receiver of {width} samples is wrong: {wrong} of {bits} bits.")
        return Sampled(lambda: reception.receive(BLOCKS) * 1e6)

    return make


def _errors(ctx: moderngl.Context, bits: int) -> Grid:
    """The share of wrong bits by width; its spread is a standard deviation to both sides."""
    grid = Grid()
    for width in (FLOAT32, FLOAT16, FIXED8, "fixed4"):
        settings = LinkSettings("flat", ERRORS_DB, width, symbols=SYMBOLS[True], algorithm=RADIX_8)
        with Reception(ctx, settings) as reception:
            reception.count(bits, most_errors=bits)
            wrong, of = reception.counted[ERRORS_DB]
        rate, off = wrong / of, float(np.sqrt(max(wrong, 1))) / of
        grid.values[width, f"{ERRORS_DB:g} dB"] = Spread(rate, rate - off, rate + off)
    return grid
