"""The search in this process: every kernel is checked and timed beside the one in use.

The measuring loop is a generator. It yields CONTINUE after each slice of work, and PAUSE where nothing can be done
before the GPU has caught up, where `Plan.tune` waits, and a tuner and the worker process end a step.
"""

import math
import statistics
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence

import numpy as np
from moderngl import Context

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import Choice
from glfft.engine.compiled_pass import CompiledPass
from glfft.errors import ShaderError, TimingError
from glfft.gl.context import is_software
from glfft.gl.releasable import Keeper, Owner
from glfft.profiling import timing
from glfft.profiling.timing import GlQueue
from glfft.tuning.precompile import CONTINUE, PAUSE, Precompiler, TimeSlices, precompiled
from glfft.tuning.report import TunedPass, TuningReport, describe
from glfft.tuning.search import Search, Trial
from glfft.tuning.workbench import Workbench, helper_passes

_SAMPLES, _SAMPLES_THOROUGH = 7, 21  # pairs of samples of a kernel, and of a finalist
# Slow passes get fewer, once they have taken so many seconds, but not below the fewest.
_SECONDS, _SECONDS_THOROUGH = 0.3, 1.5
_FEWEST_SAMPLES = 3
_HOPELESS = 1.5  # a kernel is given up if each of its first samples takes so many times as long as the one in use

_PAIR_SECONDS = 6e-3  # the calls of a pair of samples may take on a GPU where there is no budget
_MOST_CALLS = 64
# The GPU is kept busy for so many times as long as queueing the calls takes. Where that was too short the factor is
# doubled; after each sample that counts it shrinks again, as the program may only have been held up.
_BUSY_FACTOR, _MOST_BUSY_FACTOR, _BUSY_SHRINKING = 2.0, 64.0, 0.9
_CALL_SECONDS = 2e-5  # a first guess at what Python takes to queue a call

Call = Callable[[], None]
Pair = tuple[Call, Call]  # of the kernel in use, and of another one
Times = tuple[float, float]  # microseconds a call of each


class LocalSearch(Owner):
    """Searches kernels of requests in this process, at once or in steps, which a precompiler keeps from waiting."""

    lost = False  # as the worker process of a `RemoteSearch` may be

    def __init__(
        self, ctx: Context, requests: Sequence[AxisRequest], quick: bool, precompiler: Precompiler | None = None
    ) -> None:
        super().__init__(ctx)
        self._requests, self._quick, self._precompiler = requests, quick, precompiler
        self._clock = self._own(WallPairClock(ctx) if is_software(ctx) else QueuePairClock(ctx))
        self._bench: Workbench | None = None
        self._finished = 0
        self._search: Search | None = None
        self._found: list[TunedPass] = []
        self._slices = TimeSlices(self._search_all())

    @property
    def done(self) -> bool:
        return self._slices.done

    @property
    def share_done(self) -> float:
        """How much is done, from 0 to 1."""
        return (self._finished + (self._search.share_done if self._search else 0.0)) / max(1, len(self._requests))

    def run(self, progress: Callable[[float], object]) -> TuningReport:
        """Search to the end; `progress` is called with the share done, 0 to 1, as it grows. Raises what `step` does."""
        said = 0.0
        with self:
            while not self.done:
                self._slices.work(math.inf)
                self.ctx.finish()
                if self.share_done > said:
                    said = self.share_done
                    progress(said)
        return TuningReport(tuple(self._found), timing.timer_name(self.ctx))

    def step(self, budget_ms: float) -> tuple[TunedPass, ...]:
        """Work for the budget, at most until something is found, which is returned. Raises what `Plan.tune` does."""
        self._clock.budget = budget_ms * 1e-3
        self._slices.work(self._clock.budget)
        if self.done:
            self.release()
        found = tuple(self._found)
        self._found.clear()
        return found

    def release(self) -> None:
        """Stop, and free what it works on: now, or if the context is not current, when a plan is next made in it."""
        self._slices.close()
        if self._bench is not None:
            self._bench.release()
        super().release()

    def _search_all(self) -> Generator[bool, None, None]:
        for request in self._requests:
            for spec in helper_passes(request):
                yield from precompiled(self._precompiler, spec)
                CompiledPass(self.ctx, spec)
                yield CONTINUE
            self._bench = Workbench(self.ctx, request)
            yield CONTINUE
            self._search = Search(self._bench.request, self._quick)
            yield CONTINUE
            comparison = _Comparison(self._bench, self._clock, self._precompiler)
            self._found.append((yield from comparison.measured(self._search)))
            self._finished, self._search = self._finished + 1, None
            self._bench.release()
            yield PAUSE


class _Comparison:
    """Measures the kernels of one request beside the one in use, the reference."""

    def __init__(
        self, bench: Workbench, clock: "WallPairClock | QueuePairClock", precompiler: Precompiler | None
    ) -> None:
        self._bench, self._clock, self._precompiler = bench, clock, precompiler
        self._reference_times: list[float] = []  # microseconds

    def measured(self, search: Search) -> Generator[bool, None, TunedPass]:
        self._reference = yield from self._checked(search.reference)
        self._right = self._bench.fingerprint()
        while (trial := search.ask()) is not None:
            search.tell(trial, (yield from self._ratio(trial)))
        if not self._reference_times:
            # There was no other kernel, and so nothing to compare.
            yield from self._time(self._reference, thorough=False)
        winner, ratio = search.winner
        before = max(statistics.median(self._reference_times), 1e-3)
        counts = search.measured, search.discarded
        return TunedPass(self._bench.request, search.reference, winner, before, before * ratio, *counts)

    def _ratio(self, trial: Trial) -> Generator[bool, None, float | None]:
        """The time of a kernel as a multiple of the reference's, or None if it is of no use."""
        bench = self._bench
        try:
            compiled = yield from self._checked(trial.choice)
        except ShaderError:
            return None
        if not bench.same(bench.fingerprint(), self._right):  # a fault in a driver or in glfft
            kernel = f"A kernel for {bench.request.line_name} of {bench.request.length} points"
            differs = "gives a different result from the kernel in use, so it is left out"
            warnings.warn(f"{kernel} {differs}: {describe(trial.choice)}.", stacklevel=2)
            return None
        return (yield from self._time(compiled, trial.thorough))

    def _checked(self, choice: Choice) -> Generator[bool, None, CompiledPass]:
        """A kernel made ready to run, and checked: its fingerprint can be read."""
        yield from precompiled(self._precompiler, self._bench.spec(choice))
        compiled = self._bench.compile(choice)
        yield CONTINUE
        for _ in self._bench.check(compiled):
            yield from self._clock.check_slice()
        yield from self._clock.arrival()
        return compiled

    def _time(self, compiled: CompiledPass, thorough: bool) -> Generator[bool, None, float]:
        """The median, over pairs of samples, of a pass's time as a multiple of the reference's."""
        most, seconds = (_SAMPLES_THOROUGH, _SECONDS_THOROUGH) if thorough else (_SAMPLES, _SECONDS)
        pair = (lambda: self._bench.run(self._reference), lambda: self._bench.run(compiled))
        # The first call of each is left out, but tells how many fit a sample.
        expected = yield from self._clock.rehearse(pair)
        ratios: list[float] = []
        spent = 0.0
        while len(ratios) < most and (len(ratios) < _FEWEST_SAMPLES or spent <= seconds):
            times = yield from self._clock.sample(pair, expected)
            if times is None:
                continue
            self._reference_times.append(times[0])
            ratios.append(max(times[1], 1e-3) / max(times[0], 1e-3))  # clocks that tick slowly may show no time at all
            spent += sum(times) * 1e-6
            expected = times
            if len(ratios) > 1 and min(ratios) > _HOPELESS:
                break
        return statistics.median(ratios)


class WallPairClock(Keeper):
    """Times two calls by the wall clock."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self.budget: float | None = None  # seconds that a slice may take, or None where nobody waits for its end

    def check_slice(self) -> Iterator[bool]:
        """End a slice that has queued a part of a check."""
        self._ctx.finish()
        yield CONTINUE

    arrival = check_slice

    def rehearse(self, pair: Pair) -> Generator[bool, None, Times]:
        """Call both, and tell roughly how long each takes in microseconds."""
        return (yield from self.sample(pair, (math.inf, math.inf)))

    def sample(self, pair: Pair, expected: Times) -> Generator[bool, None, Times]:
        """Time both, one after the other."""
        return (yield from self._timed(pair[0], expected[0])), (yield from self._timed(pair[1], expected[1]))

    def _timed(self, call: Call, expected: float) -> Generator[bool, None, float]:
        # A call before the one that is timed, if there is time for it.
        half = math.inf if self.budget is None else self.budget / 2
        if expected * 1e-6 < min(timing.LONGEST_LEAD_IN_SECONDS, half):
            call()
        self._ctx.finish()  # what the program itself has queued must not count
        start = time.perf_counter_ns()
        call()
        self._ctx.finish()
        took = (time.perf_counter_ns() - start) / 1e3
        yield CONTINUE
        return took


class QueuePairClock(Keeper):
    """Times two calls on a GPU, between stamps in one full queue."""

    def __init__(self, ctx: Context) -> None:
        self._queue = self._own(GlQueue(ctx))
        self.budget: float | None = None  # seconds of the GPU's time that a sample may take, as in `WallPairClock`
        self.call_seconds = _CALL_SECONDS  # what Python takes to queue a call
        self.busy_factor = _BUSY_FACTOR  # the GPU is kept busy for so many times as long while calls are queued
        self._most_calls = _MOST_CALLS

    def check_slice(self) -> Iterator[bool]:
        yield CONTINUE

    def arrival(self) -> Iterator[bool]:
        """Go on once the GPU has come to here."""
        yield from self._microseconds([(self._queue.stamp(), self._queue.stamp())])

    def rehearse(self, pair: Pair) -> Generator[bool, None, Times]:
        if self.budget is None:
            # The GPU was idle while the program was compiled, and the clocks of an idle GPU are slow.
            self._queue.keep_busy(timing.WARM_UP_SECONDS)
        times, _ = yield from self._queued(pair, 1)
        return times

    def sample(self, pair: Pair, expected: Times) -> Generator[bool, None, Times | None]:
        """Time both, None if the GPU caught up with the queue. Raises TimingError where it could not be kept busy."""
        seconds, of_both = _PAIR_SECONDS, sum(expected) * 1e-6
        if self.budget is not None:
            # The busy work is part of it.
            seconds, of_both = self.budget, of_both + 2 * self.busy_factor * self.call_seconds
        calls = int(np.clip(seconds / of_both, 1, self._most_calls))
        times, kept_full = yield from self._queued(pair, calls)
        if kept_full:
            self.busy_factor = max(self.busy_factor * _BUSY_SHRINKING, _BUSY_FACTOR)
            return times
        if self.busy_factor < _MOST_BUSY_FACTOR:
            self.busy_factor *= 2
        elif calls > 1:
            # The driver's queue is too short for so many: it makes the caller wait until the GPU has caught up.
            self._most_calls = calls // 2
        else:
            raise TimingError(timing.NOT_KEPT_BUSY)
        return None

    def _queued(self, pair: Pair, calls: int) -> Generator[bool, None, tuple[Times, bool]]:
        """Microseconds a call of each, and whether the queue stayed full; of several calls the first is left out."""
        start = time.perf_counter()
        timed = max(calls - 1, 1)
        busy = 2 * calls * self.busy_factor * self.call_seconds
        stamps, kept_full = timing.queue_in_turn(self._queue, busy, pair, timed, pair if calls > 1 else None)
        # It may have taken long only because the program was held up.
        self.call_seconds = min((time.perf_counter() - start) / (2 * calls), 2 * self.call_seconds)
        first, second = yield from self._microseconds(stamps)
        return (first / timed, second / timed), kept_full

    def _microseconds(self, stamps: Sequence[tuple[int, int]]) -> Generator[bool, None, list[float]]:
        """The time between each two stamps, once the GPU has come to the last; frees them."""
        yield PAUSE
        while not self._queue.passed(stamps[-1][1]):
            yield PAUSE
        return [self._queue.microseconds_between(*each) for each in stamps]
