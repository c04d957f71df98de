"""Clocks, and calls timed: on a GPU between two timestamps in a full queue, on a CPU by the wall clock.

A small transform takes the GPU less time than Python takes to queue it. Timed naively, the GPU would wait between
calls, and the result would be Python's speed. So other work that takes long is queued first. While it runs, the calls
are queued behind it, and then they run without gaps. Whether the queue stayed full is checked for every sample.

Several things are sampled in turn, one sample of each before the next, so that a drifting clock affects all alike.
"""

import ctypes
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import moderngl
import numpy as np

from glfft.errors import TimingError
from glfft.gl import bindings, programs
from glfft.gl.context import is_software
from glfft.gl.functions import Functions
from glfft.gl.releasable import Keeper
from glfft.profiling.trace import ClockSample, sample_clock

GPU_TIMER = "gpu timestamps"
WALL_TIMER = "wall (software renderer)"

Call = Callable[[], Any]  # what is timed, or done beside it

_GL_TIMESTAMP = 0x8E28
_GL_QUERY_RESULT, _GL_QUERY_RESULT_AVAILABLE = 0x8866, 0x8867

FEWEST_SAMPLES = 5

NOT_KEPT_BUSY = "The GPU could not be kept busy while calls were queued, so its time cannot be told."

_BUDGET_SECONDS = 2.0  # a slow call gets no more samples after so long, once there are enough for a median

WARM_UP_SECONDS = 0.1
_SAMPLE_SECONDS = 2e-3
_MOST_CALLS = 64
_LONGEST_BUSY_SECONDS = 0.5

# A longer call works through more memory than caches hold, so that the call before it makes no difference.
LONGEST_LEAD_IN_SECONDS = 10e-3


class GpuClock:
    """A ring of GL_TIMESTAMP queries, polled and never waited for; their pairs nest (OpenGL 4.3, section 4.3)."""

    waited = 0

    def __init__(self, ctx: moderngl.Context) -> None:
        self._gl = Functions(ctx)
        self._free: list[int] = []
        self._made: list[int] = []

    def mark(self) -> int:
        """Record the GPU's clock once all earlier commands have finished; returns a handle for `ready` and `take`."""
        if not self._free:
            names = (ctypes.c_uint * 16)()
            self._gl.glGenQueries(16, names)
            self._free.extend(names)
            self._made.extend(names)
        query = self._free.pop()
        self._gl.glQueryCounter(query, _GL_TIMESTAMP)
        return query

    def ready(self, query: int) -> bool:
        """Whether the stamp's value can be taken without waiting."""
        return bool(self._gl.number("glGetQueryObjectuiv", query, _GL_QUERY_RESULT_AVAILABLE))

    def take(self, query: int) -> int:
        """The stamp in nanoseconds; waits if it is not `ready`, and hands the handle back for reuse."""
        value = self._gl.number("glGetQueryObjectui64v", query, _GL_QUERY_RESULT)
        self._free.append(query)
        return value

    def sample(self) -> ClockSample:
        """Both clocks, the GPU's once earlier commands have been sent, whether they are done or not."""
        return sample_clock(lambda: self._gl.number("glGetInteger64v", _GL_TIMESTAMP))

    def release(self) -> None:
        if self._made:
            self._gl.glDeleteQueries(len(self._made), (ctypes.c_uint * len(self._made))(*self._made))
        self._made.clear()
        self._free.clear()


class WallClock(Keeper):
    """Marks are wall-clock times, read when all commands so far are done, which `waited` nanoseconds in all."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self.waited = 0

    def mark(self) -> int:
        begin = time.perf_counter_ns()
        self._ctx.finish()
        now = time.perf_counter_ns()
        self.waited += now - begin
        return now

    def sample(self) -> ClockSample:
        now = time.perf_counter_ns()
        return ClockSample(now, now, 0)

    def ready(self, mark: int) -> bool:
        return True

    def take(self, mark: int) -> int:
        return mark


@dataclass(frozen=True)
class Timing:
    """What one call takes."""

    microseconds: float  # median over the samples
    quartiles: tuple[float, float]  # first and third, in microseconds
    samples: int  # how many
    timer: str  # the clock: "gpu timestamps", "wall (software renderer)" or another clock by name
    # the samples, in microseconds; of things timed in turn the same place means the same round
    taken: tuple[float, ...] = field(default=(), repr=False, compare=False)

    @classmethod
    def of(cls, samples: list[float], timer: str) -> "Timing":
        """Summarise samples in microseconds."""
        first, median, third = np.percentile(samples, (25, 50, 75))
        return cls(float(median), (float(first), float(third)), len(samples), timer, tuple(samples))


def timer_name(ctx: moderngl.Context) -> str:
    """The name of the clock that times are read from in a context."""
    return WALL_TIMER if is_software(ctx) else GPU_TIMER


class Subject(Protocol):
    """A call that can be timed, sample by sample: microseconds a call. `prepare` makes a first one, not timed."""

    timer: str

    def prepare(self) -> None: ...
    def sample(self) -> float: ...


def time_in_turn(subjects: Sequence[Subject], samples: int, round_done: Call = lambda: None) -> list[Timing]:
    """Time several things, a sample of each in turn, at most so many of each; a slow one gets fewer, but at least five.
    `round_done` is called after each round. Raises TimingError where the GPU could not be kept busy meanwhile.
    """
    for subject in subjects:
        subject.prepare()
    elapsed: list[list[float]] = [[] for _ in subjects]
    spent = [0.0] * len(subjects)
    wanting = list(range(len(subjects)))
    while wanting:
        for index in tuple(wanting):
            began = time.perf_counter()
            elapsed[index].append(subjects[index].sample())
            spent[index] += time.perf_counter() - began
            taken = len(elapsed[index])
            if taken >= samples or (taken >= FEWEST_SAMPLES and spent[index] > _BUDGET_SECONDS):
                wanting.remove(index)
        round_done()
    return [Timing.of(each, subject.timer) for each, subject in zip(elapsed, subjects, strict=True)]


class ContextTimer(Keeper):
    """Times calls that queue commands in the current context: by GPU timestamps, or on CPUs by the wall clock."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._queue = None if is_software(ctx) else self._own(GlQueue(ctx))

    def subject(self, call: Call) -> Subject:
        """Something that can be timed, from a call that queues commands and does not wait for them."""
        if self._queue is not None:
            return QueuedCall(call, self._queue, GPU_TIMER)
        return WallCall(call, WALL_TIMER, self.ctx.finish)


class WallCall:
    """A call timed by the wall clock, whose work is done when it returns or, if it does not wait, when `finish` does.
    A sample is of so many calls, for each of the `things` that they do; before it, as in `QueuedCall`, short ones run.
    """

    def __init__(self, call: Call, timer: str, finish: Call = lambda: None, *, calls: int = 1, things: int = 1) -> None:
        self.timer, self._call, self._finish, self._calls, self._things = timer, call, finish, calls, things
        self._lead_in = False

    def prepare(self) -> None:
        self._lead_in = self._once() < LONGEST_LEAD_IN_SECONDS * 1e6

    def sample(self) -> float:
        if self._lead_in:
            self._once()
        return self._once() / self._things

    def _once(self) -> float:
        start = time.perf_counter_ns()
        for _ in range(self._calls):
            self._call()
        self._finish()
        return (time.perf_counter_ns() - start) / 1e3


class Queue(Protocol):
    """A GPU's command queue, which can be kept busy for about so long, before what is queued later. Stamps are queued
    too, each used once: `passed` does not wait for one, `microseconds_between` does. `finish` waits for all.
    """

    def keep_busy(self, seconds: float) -> None: ...
    def stamp(self) -> Any: ...
    def passed(self, stamp: Any, /) -> bool: ...
    def microseconds_between(self, first: Any, second: Any) -> float: ...
    def finish(self) -> None: ...


class QueuedCall:
    """A call that only queues commands, timed between two stamps in a full queue; `timer` is what to call the clock.

    A sample is the mean of several calls in a row, which makes the cost of the stamps themselves small. One call before
    them is left out: its data has been pushed out of the caches by what was timed in between. `renew` queues commands
    before the calls of a sample, which are not timed. `most_calls` may be in one sample, the one left out included.
    """

    def __init__(
        self, call: Call, queue: Queue, timer: str, renew: Call = lambda: None, most_calls: int = _MOST_CALLS + 1
    ) -> None:
        self.timer, self._call, self._queue, self._renew = timer, call, queue, renew
        self._most_calls = min(_MOST_CALLS, most_calls - 1)
        self._calls, self._busy = 1, 0.0

    def _lead_in(self) -> None:
        self._renew()
        self._call()

    def prepare(self) -> None:
        self._lead_in()
        self._queue.keep_busy(WARM_UP_SECONDS)  # the clocks of an idle GPU are slow
        self._queue.finish()
        start = time.perf_counter()
        self._call()
        queueing = max(time.perf_counter() - start, 1e-6)
        alone, _ = self._sample(1, 0.0)
        self._calls = int(np.clip(_SAMPLE_SECONDS * 1e6 / max(alone, 1e-3), min(2, self._most_calls), self._most_calls))
        # The call alone: a result that is waited for takes longer while other programs use the GPU.
        self._busy = 2 * (self._calls + 1) * queueing

    def sample(self) -> float:
        """Microseconds a call. Raises TimingError where half a second of other work does not keep the queue full."""
        while True:
            microseconds, kept_full = self._sample(self._calls, min(self._busy, _LONGEST_BUSY_SECONDS))
            if kept_full:
                return microseconds
            if self._busy < _LONGEST_BUSY_SECONDS:
                self._busy *= 2
            elif self._calls > 1:
                # The driver's queue is too short for so many: it makes the caller wait until the GPU has caught up.
                self._calls //= 2
            else:
                raise TimingError(NOT_KEPT_BUSY)

    def _sample(self, calls: int, busy: float) -> tuple[float, bool]:
        """Microseconds a call, and whether all calls were queued before the GPU came to the first."""
        ((first, second),), kept_full = queue_in_turn(self._queue, busy, [self._call], calls, [self._lead_in])
        return self._queue.microseconds_between(first, second) / calls, kept_full


def queue_in_turn(
    queue: Queue, busy: float, calls: Sequence[Call], times: int, lead_ins: Sequence[Call] | None
) -> tuple[list[tuple[Any, Any]], bool]:
    """Queue so many seconds of busy work, and behind it each call several times between two stamps, after its lead-in.
    Returns the stamps before and after each call, and whether all was queued before the GPU came to the first of them.
    """
    if busy:
        queue.keep_busy(busy)
    stamps: list[tuple[Any, Any]] = []
    for index, call in enumerate(calls):
        if lead_ins is not None:
            lead_ins[index]()
        first = queue.stamp()
        for _ in range(times):
            call()
        stamps.append((first, queue.stamp()))
    return stamps, not queue.passed(stamps[0][0])


class GlQueue(GpuClock):
    """The command queue of an OpenGL context."""

    _FIRST_ROUNDS = 100_000
    stamp, passed = GpuClock.mark, GpuClock.ready

    def __init__(self, ctx: moderngl.Context) -> None:
        super().__init__(ctx)
        self._ctx, self.finish = ctx, ctx.finish
        self._kept = ctx.buffer(reserve=4)
        self._program = programs.compute(ctx, "profiling/busy.comp", {"BUSY_BINDING": bindings.BUSY_BUFFER_BINDING})
        self._spin(1)  # compiles
        first = self.mark()
        self._spin(self._FIRST_ROUNDS)
        self._rounds_a_second = self._FIRST_ROUNDS * 1e6 / self.microseconds_between(first, self.mark())

    def keep_busy(self, seconds: float) -> None:
        self._spin(int(seconds * self._rounds_a_second))

    def _spin(self, rounds: int) -> None:
        self._kept.bind_to_storage_buffer(bindings.BUSY_BUFFER_BINDING)
        self._program["rounds"].value = max(1, rounds)  # pyright: ignore[reportAttributeAccessIssue]
        self._program.run(1)
        self._ctx.memory_barrier()  # without a barrier dispatches may overlap, and the measured ones would start early

    def microseconds_between(self, first: int, second: int) -> float:
        return (self.take(second) - self.take(first)) / 1e3

    def release(self) -> None:
        super().release()
        self._kept.release()
