"""Streams of transforms with their transfers, as Hinitt and Kocak's steps have them, timed by the wall clock."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import Any

import moderngl
import numpy.typing as npt

from glfft.accuracy import snr_db
from glfft.errors import AccuracyError
from glfft.papers.hinitt_steps import Step
from glfft.papers.run import Maker
from glfft.papers.sampled_transforms import FLOORS_DB, SampledTransforms, numbers
from glfft.streaming.stream import Stream

# Blocks of a sample.
BLOCKS = 8


def step_maker(ctx: moderngl.Context, step: Step, count: int) -> Maker:
    """The stream of a step, as a row.

    Args:
        ctx: the context.
        step: the step.
        count: transforms of a block.
    """

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
        step: the step that the stream is.
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


class StreamCall:
    """A stream, timed by the wall clock: blocks that are fed and taken, transfers included.

    Args:
        stream: the stream that is timed.
        block: the samples that are fed each time.
        each: transforms of a block, which the time is divided by.
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
        for _ in range(BLOCKS):
            if stream.under_way == stream.in_flight:
                self._results = stream.take(self._results)
            stream.feed(self._block)
        while stream.under_way:
            self._results = stream.take(self._results)
        return (time.perf_counter() - begun) * 1e6 / (BLOCKS * self._each)
