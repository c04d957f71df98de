"""Hinitt and Kocak's steps as streams of transforms with their transfers, timed by the wall clock."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy.typing as npt

from glfft.apps.ofdm.link.settings import FIXED8, FLOAT16, FLOAT32
from glfft.apps.papers.measuring import Maker, Sampled, check_snr
from glfft.apps.papers.sampled_transforms import FLOORS_DB, SampledTransforms, numbers
from glfft.apps.signal_to_noise import snr_db
from glfft.gl.releasable import Releasable
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
        transforms = stack.enter_context(TransformStream(ctx, step, count))
        block, exact = numbers(step.width, count)
        transforms.stream.feed(block)
        found = snr_db(transforms.decode(transforms.stream.take()), exact)
        check_snr(f"The stream of {step.name}", found, FLOORS_DB[step.width])
        return Sampled.repeated(lambda: transforms.run(block, BLOCKS), 1, BLOCKS * count)

    return make


class TransformStream(Releasable):
    """The stream of a step: blocks of `count` transforms, whose numbers go up and come down in the step's width."""

    def __init__(self, ctx: moderngl.Context, step: Step, count: int) -> None:
        self._transforms = SampledTransforms(ctx, step.width, step.algorithm, count)
        layout = self._transforms.layout
        self.stream = Stream(
            ctx, self._transforms, block=layout, result=layout, in_flight=step.in_flight, mapped=step.mapped
        )
        self.decode = self._transforms.decode
        self._results: npt.NDArray[Any] | None = None

    def run(self, block: npt.NDArray[Any], times: int) -> None:
        """Feed a block so many times, and take all results."""
        stream = self.stream
        for _ in range(times):
            if stream.under_way == stream.in_flight:
                self._results = stream.take(self._results)
            stream.feed(block)
        while stream.under_way:
            self._results = stream.take(self._results)

    def release(self) -> None:
        self.stream.release()
        self._transforms.release()
