"""The search while a program runs: a little of it each frame, without ever waiting for the GPU."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Generator, Iterator, Sequence
from types import TracebackType

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.dispatch import Pass
from glfft.errors import ShaderError, TimingError
from glfft.gl import is_software, state_of
from glfft.passes import AxisRequest
from glfft.timing import NOT_KEPT_BUSY, GlQueue
from glfft.tuning.foreground import ratio_of, timer_name, warn_of_wrong
from glfft.tuning.report import TunedPass, TuningReport, describe
from glfft.tuning.search import Search, Trial
from glfft.tuning.workbench import Workbench

# Pairs of samples for a kernel, and for one of the best.
_SAMPLES = 5
_SAMPLES_THOROUGH = 15
_HOPELESS = 1.5
_MOST_CALLS = 16
# The GPU is kept busy for so many times what queueing the calls takes, doubled whenever that was too short.
_BUSY_FACTOR = 2.0
_MOST_BUSY_FACTOR = 64.0
# A first guess at what Python takes to queue a call.
_CALL_SECONDS = 2e-5

# What one part of the work yields: whether the next part may follow in the same step if there is time.
_MORE = True
_STOP = False


class BackgroundTuner:
    """Tunes a plan frame by frame; `Plan.tuner` makes one.

        tuner = plan.tuner()
        while drawing:
            plan.forward(source, target)
            if not tuner.done:
                tuner.step(budget_ms=1.0)

    A step compiles one kernel, or queues one check, or times a kernel beside the one in use for a few calls. On a GPU
    the times are read in later steps, once they have arrived; only the few sums by which a kernel's result is checked
    are read back, for which a driver may wait until what is queued so far is done. When all kernels of one kind of pass
    are measured, the plan takes the fastest from its next run on.

    A step takes from the GPU what the budget says, though never less than a call of each of the two kernels; and those
    that compile take what that takes, tens of milliseconds or more. On software renderers the budget is wall time, of
    which a step needs at least one call or one compilation.

    The carriers it works on, two as large as the plan's, are freed when it is done or released. Making it waits a few
    milliseconds for the GPU. Beside what a run of the plan leaves changed, storage buffer bindings 0 and 4 are, and
    what moderngl binds to make and read things: the array buffer and the last texture unit. OpenGL errors that nobody
    has asked for before a step are forgotten.

    Args:
        ctx: the context.
        requests: what to tune.
        install: takes what was found and puts it to use, one program compiled before each pause.
        quick: measure 8 kernels a pass instead of some 50.

    Attributes:
        report: what was found so far.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        requests: Sequence[AxisRequest],
        install: Callable[[Sequence[TunedPass]], Iterator[None]],
        quick: bool = False,
    ) -> None:
        self._ctx = ctx
        self._requests = requests
        self._install = install
        self._quick = quick
        self._bench: Workbench | None = None
        self._queue: GlQueue | None = None
        if not is_software(ctx):
            self._queue = GlQueue(ctx)
            self._finalizer = weakref.finalize(self, state_of(ctx).dropped.append, self._queue)
        self._call_seconds = _CALL_SECONDS
        self._busy_factor = _BUSY_FACTOR
        self._began = self._until = 0.0
        self._share = self._search_share = 0.0
        self._work = self._search_all()
        self._released = False
        self.report = TuningReport((), timer_name(ctx))
        if not requests:
            self.release()

    @property
    def done(self) -> bool:
        """Whether there is nothing more to do."""
        return self._released

    @property
    def share_done(self) -> float:
        """How much is done, from 0 to 1."""
        return 1.0 if self._released else self._share

    def step(self, budget_ms: float = 1.0) -> bool:
        """Do a little more.

        Args:
            budget_ms: GPU time, or on software renderers wall time, that it may take.

        Returns:
            Whether there is nothing more to do.

        Raises:
            ContextError: there is not enough memory for two more pictures of the plan's size.
            ReleasedError: the plan has been released meanwhile.
            TimingError: the GPU could not be kept busy while calls were queued.
        """
        if self._released:
            return True
        self._began = time.perf_counter()
        self._until = self._began + budget_ms * 1e-3
        longest = 0.0
        try:
            while True:
                began = time.perf_counter()
                if next(self._work) is _STOP:
                    break
                now = time.perf_counter()
                longest = max(longest, now - began)
                if now + longest > self._until:
                    break
        except StopIteration:
            self.release()
        except BaseException:
            self.release()
            raise
        return self._released

    def release(self) -> None:
        """Stop, and free what it works on; what was found so far stays. Releasing twice is harmless."""
        self._released = True
        self._work.close()
        if self._bench is not None:
            self._bench.release()
            self._bench = None
        if self._queue is not None:
            self._finalizer.detach()
            self._queue.release()
            self._queue = None

    def __enter__(self) -> BackgroundTuner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _search_all(self) -> Generator[bool, None, None]:
        for index, request in enumerate(self._requests):
            self._bench = Workbench(self._ctx, request)
            yield _STOP
            found: list[TunedPass] = []
            for more in self._search(self._bench, found):
                yield more
                self._share = (index + self._search_share) / len(self._requests)
            self._bench.release()
            self._bench = None
            for _ in self._install(found):
                yield _STOP
            self.report = TuningReport((*self.report.passes, *found), self.report.timer)

    def _search(self, bench: Workbench, found: list[TunedPass]) -> Iterator[bool]:
        search = Search(bench.request, self._quick)
        self._search_share = 0.0
        in_use = bench.compile(search.reference)
        yield _STOP
        bench.queue_check(in_use)
        yield from self._arrival()
        right = bench.fingerprint()
        took: list[float] = []
        while (trial := search.ask()) is not None:
            ratio = None
            try:
                each = bench.compile(trial.kernel)
                yield _STOP
                bench.queue_check(each)
                yield from self._arrival()
                if self._is_right(bench, trial, right):
                    ratios: list[float] = []
                    yield from self._time(bench, in_use, each, trial.thorough, took, ratios)
                    ratio = float(np.median(ratios))
            except ShaderError:
                pass
            search.tell(trial, ratio)
            self._search_share = search.share_done
        if not took:
            # There was no other kernel, and so nothing to compare.
            yield from self._time(bench, in_use, in_use, False, took, [])
        winner, ratio = search.winner
        before = max(float(np.median(took)), 1e-3)
        found.append(
            TunedPass(
                bench.request, search.reference, winner, before, before * ratio, search.measured, search.discarded
            )
        )

    def _is_right(self, bench: Workbench, trial: Trial, right: npt.NDArray[np.float64]) -> bool:
        same = bench.same(bench.fingerprint(), right)
        if not same:
            warn_of_wrong(bench.request, describe(trial.kernel))
        return same

    def _arrival(self) -> Iterator[bool]:
        """Go on once the GPU has come to here."""
        if self._queue is None:
            self._ctx.finish()
            yield _MORE
            return
        stamps = self._queue.stamp(), self._queue.stamp()
        yield _STOP
        while not self._queue.passed(stamps[1]):
            yield _STOP
        self._queue.microseconds_between(*stamps)

    def _time(
        self, bench: Workbench, first: Pass, second: Pass, thorough: bool, took: list[float], ratios: list[float]
    ) -> Iterator[bool]:
        """Fill in what calls of the first took, in microseconds, and the second's times as multiples of them."""
        pair = self._pair_by_wall if self._queue is None else self._pair_in_queue
        # The first of each are left out.
        bench.run(first)
        bench.run(second)
        yield from self._arrival()
        while len(ratios) < (_SAMPLES_THOROUGH if thorough else _SAMPLES):
            times: list[float] = []
            yield from pair(lambda: bench.run(first), lambda: bench.run(second), took, times)
            if times:
                took.append(times[0])
                ratios.append(ratio_of(times[1], times[0]))
            if len(ratios) > 1 and min(ratios) > _HOPELESS:
                break

    def _pair_by_wall(
        self, first: Callable[[], None], second: Callable[[], None], took: list[float], times: list[float]
    ) -> Iterator[bool]:
        for call in (first, second):
            # What the program itself has queued is not ours.
            self._ctx.finish()
            start = time.perf_counter_ns()
            call()
            self._ctx.finish()
            times.append((time.perf_counter_ns() - start) / 1e3)
            yield _MORE

    def _pair_in_queue(
        self, first: Callable[[], None], second: Callable[[], None], took: list[float], times: list[float]
    ) -> Iterator[bool]:
        """Nothing is filled in if the GPU came to the calls before all of them were queued."""
        queue = self._queue
        assert queue is not None
        calls = 1
        if took:
            each = took[-1] * 1e-6 + self._busy_factor * self._call_seconds
            calls = int(np.clip((self._until - self._began) / (2 * each), 1, _MOST_CALLS))
        start = time.perf_counter()
        queue.keep_busy(2 * calls * self._busy_factor * self._call_seconds)
        stamps = []
        for call in (first, second):
            stamps.append(queue.stamp())
            for _ in range(calls):
                call()
            stamps.append(queue.stamp())
        kept_full = not queue.passed(stamps[0])
        self._call_seconds = (time.perf_counter() - start) / (2 * calls)
        yield _STOP
        while not queue.passed(stamps[3]):
            yield _STOP
        microseconds = [queue.microseconds_between(*stamps[at : at + 2]) / calls for at in (0, 2)]
        if kept_full:
            times.extend(microseconds)
        elif self._busy_factor < _MOST_BUSY_FACTOR:
            self._busy_factor *= 2
        else:
            raise TimingError(NOT_KEPT_BUSY)
