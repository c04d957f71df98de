"""Timing calls honestly: on a GPU between two timestamps with the queue kept full, on a CPU by the wall clock.

A small transform takes the GPU less time than Python needs to ask for it. Timed naively, the GPU would wait between
calls and the result would be Python's speed. So a long piece of other work is queued first; while it runs, the measured
calls are queued behind it, and then they run back to back. Whether the queue stayed full is checked for every sample.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import moderngl
import numpy as np

from glfft import shaders
from glfft.errors import GlfftError
from glfft.gl import Timestamps, is_software
from glfft.profiler import GPU_TIMER, WALL_TIMER

FEWEST_SAMPLES = 5

# A slow call is not repeated beyond this, once there are enough samples for a median.
_BUDGET_SECONDS = 2.0

_WARM_UP_SECONDS = 0.1
_SAMPLE_SECONDS = 2e-3
_MOST_CALLS = 64
_LONGEST_BUSY_SECONDS = 0.5


@dataclass(frozen=True)
class Timing:
    """What one call takes.

    Attributes:
        microseconds: median over the samples.
        quartiles: first and third, in microseconds.
        samples: how many.
        timer: what was read: "gpu timestamps", "wall (software renderer)" or another clock by name.
    """

    microseconds: float
    quartiles: tuple[float, float]
    samples: int
    timer: str

    @classmethod
    def of(cls, samples: list[float], timer: str) -> Timing:
        """Summarise samples in microseconds."""
        first, median, third = np.percentile(samples, (25, 50, 75))
        return cls(float(median), (float(first), float(third)), len(samples), timer)


class Queue(Protocol):
    """A GPU's command queue as `time_queued` needs it."""

    def keep_busy(self, seconds: float) -> None:
        """Queue work of about that length; what is queued later starts after it."""

    def stamp(self) -> Any:
        """Queue a time stamp."""

    def passed(self, stamp: Any) -> bool:
        """Whether the GPU has reached a stamp; does not wait."""
        ...

    def microseconds_between(self, first: Any, second: Any) -> float:
        """Time between two stamps, each used once; waits for them."""
        ...

    def finish(self) -> None:
        """Wait until the queue is empty."""


def time_plan_calls(ctx: moderngl.Context, call: Callable[[], Any], samples: int) -> Timing:
    """Time a call that queues commands in a context. The first call is left out.

    Raises:
        GlfftError: the GPU's queue could not be kept full.
    """
    if is_software(ctx):

        def call_and_finish() -> None:
            call()
            ctx.finish()

        ctx.finish()
        return time_by_wall(call_and_finish, samples, WALL_TIMER)
    queue = _GlQueue(ctx)
    try:
        return time_queued(call, queue, samples, GPU_TIMER)
    finally:
        queue.release()


def time_by_wall(call: Callable[[], Any], samples: int, timer: str) -> Timing:
    """Time a call that returns when its work is done. The first call is left out."""
    call()
    elapsed: list[float] = []
    began = time.perf_counter()
    while len(elapsed) < samples:
        start = time.perf_counter_ns()
        call()
        elapsed.append((time.perf_counter_ns() - start) / 1e3)
        if len(elapsed) >= FEWEST_SAMPLES and time.perf_counter() - began > _BUDGET_SECONDS:
            break
    return Timing.of(elapsed, timer)


def time_queued(call: Callable[[], Any], queue: Queue, samples: int, timer: str) -> Timing:
    """Time a call that only queues commands. The first call is left out.

    A sample is the mean of several calls in a row, so that the stamps' own cost does not count.

    Raises:
        GlfftError: the queue could not be kept full, not even behind half a second of other work.
    """
    call()
    # An idle GPU has slowed its clocks down.
    queue.keep_busy(_WARM_UP_SECONDS)
    queue.finish()
    start = time.perf_counter()
    alone, _ = _sample(call, 1, queue, 0.0)
    calls = int(np.clip(_SAMPLE_SECONDS * 1e6 / max(alone, 1e-3), 2, _MOST_CALLS))
    busy = 2 * calls * (time.perf_counter() - start)
    elapsed: list[float] = []
    began = time.perf_counter()
    while len(elapsed) < samples:
        microseconds, kept_full = _sample(call, calls, queue, min(busy, _LONGEST_BUSY_SECONDS))
        if kept_full:
            elapsed.append(microseconds)
        elif busy < _LONGEST_BUSY_SECONDS:
            busy *= 2
        elif calls > 1:
            # The driver's queue is too short for that many: it makes the caller wait until the GPU has caught up.
            calls //= 2
        else:
            raise GlfftError("The GPU could not be kept busy while calls were queued, so its time cannot be told.")
        if len(elapsed) >= FEWEST_SAMPLES and time.perf_counter() - began > _BUDGET_SECONDS:
            break
    return Timing.of(elapsed, timer)


def _sample(call: Callable[[], Any], calls: int, queue: Queue, busy: float) -> tuple[float, bool]:
    """Microseconds a call, and whether all calls were queued before the GPU came to the first."""
    if busy:
        queue.keep_busy(busy)
    first = queue.stamp()
    for _ in range(calls):
        call()
    second = queue.stamp()
    kept_full = not queue.passed(first)
    return queue.microseconds_between(first, second) / calls, kept_full


class _GlQueue:
    """The command queue of an OpenGL context."""

    _FIRST_ROUNDS = 100_000

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._stamps = Timestamps(ctx)
        self._kept = ctx.buffer(reserve=4)
        self._program = shaders.compute(ctx, "bench/busy.comp")
        self._spin(1)  # compiles
        first = self._stamps.stamp()
        self._spin(self._FIRST_ROUNDS)
        seconds = self.microseconds_between(first, self._stamps.stamp()) * 1e-6
        self._rounds_a_second = self._FIRST_ROUNDS / seconds

    def keep_busy(self, seconds: float) -> None:
        self._spin(int(seconds * self._rounds_a_second))

    def _spin(self, rounds: int) -> None:
        self._kept.bind_to_storage_buffer(0)
        self._program["rounds"].value = max(1, rounds)  # pyright: ignore[reportAttributeAccessIssue]
        self._program.run(1)
        # Dispatches without a barrier between them may overlap, and the measured ones would start early.
        self._ctx.memory_barrier()

    def stamp(self) -> int:
        return self._stamps.stamp()

    def passed(self, stamp: int) -> bool:
        return self._stamps.ready(stamp)

    def microseconds_between(self, first: int, second: int) -> float:
        return (self._stamps.take(second) - self._stamps.take(first)) / 1e3

    def finish(self) -> None:
        self._ctx.finish()

    def release(self) -> None:
        self._stamps.release()
        self._kept.release()
