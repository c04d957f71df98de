"""A search in steps: a little of it each frame, without ever waiting for the GPU."""

from __future__ import annotations

import statistics
import time
import weakref
from collections.abc import Callable, Generator, Iterator, Sequence

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms.passes import AxisRequest, PassSpec
from glfft.engine.compiled_pass import Pass
from glfft.errors import ShaderError, TimingError
from glfft.gl.context import is_software, state_of
from glfft.tuning.foreground import ratio_of, warn_of_wrong
from glfft.tuning.precompile import CompileAhead, compiled_ahead
from glfft.tuning.report import TunedPass, describe
from glfft.tuning.search import Search, Trial
from glfft.tuning.time_slices import MORE, STOP, Parts
from glfft.tuning.timing import NOT_KEPT_BUSY, GlQueue
from glfft.tuning.workbench import Workbench, helpers

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


class SteppedSearch:
    """Searches the kernels of requests, one request after the other.

    A step makes one kernel ready to run, or queues a part of its check, or times it beside the one in use for a few
    calls. On a GPU times are read in later steps, once they have arrived.

    Args:
        ctx: the context.
        requests: what to tune.
        quick: measure 8 kernels a pass instead of some 50.
        compiler: has kernels compiled before they are needed.

    Attributes:
        share_done: from 0 to 1.
    """

    def __init__(
        self, ctx: moderngl.Context, requests: Sequence[AxisRequest], quick: bool, compiler: CompileAhead
    ) -> None:
        self._ctx = ctx
        self._requests = requests
        self._quick = quick
        self._compiler = compiler
        self._bench: Workbench | None = None
        self._queue: GlQueue | None = None
        if not is_software(ctx):
            self._queue = GlQueue(ctx)
            self._finalizer = weakref.finalize(self, state_of(ctx).dropped.append, self._queue)
        self._call_seconds = _CALL_SECONDS
        self._busy_factor = _BUSY_FACTOR
        self._budget = 0.0
        self._found: list[TunedPass] = []
        self._parts = Parts(self._search_all())
        self.share_done = 0.0

    @property
    def lost(self) -> bool:
        """Whether it cannot go on: never so."""
        return False

    @property
    def done(self) -> bool:
        """Whether all requests have been searched."""
        return self._parts.done

    def step(self, budget_ms: float) -> None:
        """Go on for as long, and until something is found at most.

        Raises:
            ContextError: there is not enough memory for two more pictures.
            TimingError: the GPU could not be kept busy while calls were queued.
        """
        self._budget = budget_ms * 1e-3
        self._parts.work(self._budget)
        if self.done:
            self.release()

    def take_found(self) -> tuple[TunedPass, ...]:
        """What was found since this was last asked."""
        found = tuple(self._found)
        self._found.clear()
        return found

    def release(self) -> None:
        """Stop, and free what it works on. Releasing twice is harmless."""
        self._parts.close()
        if self._bench is not None:
            self._bench.release()
            self._bench = None
        if self._queue is not None:
            self._finalizer.detach()
            self._queue.release()
            self._queue = None

    def _search_all(self) -> Generator[bool, None, None]:
        for index, request in enumerate(self._requests):
            for helper in helpers(request):
                yield from self._ahead(helper)
                Pass(self._ctx, helper)
                yield MORE
            self._bench = Workbench(self._ctx, request)
            yield MORE
            search = Search(self._bench.request, self._quick)
            yield MORE
            for more in self._search(self._bench, search):
                yield more
                self.share_done = (index + search.share_done) / len(self._requests)
            self.share_done = (index + 1) / len(self._requests)
            self._bench.release()
            self._bench = None
            yield STOP

    def _ahead(self, spec: PassSpec) -> Iterator[bool]:
        for _ in compiled_ahead(self._compiler, spec):
            yield STOP

    def _search(self, bench: Workbench, search: Search) -> Iterator[bool]:
        yield from self._ahead(bench.spec(search.reference))
        in_use = bench.compile(search.reference)
        yield MORE
        yield from self._checked(bench, in_use)
        right = bench.fingerprint()
        took: list[float] = []
        while (trial := search.ask()) is not None:
            ratio = None
            try:
                yield from self._ahead(bench.spec(trial.kernel))
                each = bench.compile(trial.kernel)
                yield MORE
                yield from self._checked(bench, each)
                if self._is_right(bench, trial, right):
                    ratios: list[float] = []
                    yield from self._time(bench, in_use, each, trial.thorough, took, ratios)
                    ratio = statistics.median(ratios)
            except ShaderError:
                pass
            search.tell(trial, ratio)
        if not took:
            # There was no other kernel, and so nothing to compare.
            yield from self._time(bench, in_use, in_use, False, took, [])
        winner, ratio = search.winner
        before = max(statistics.median(took), 1e-3)
        self._found.append(
            TunedPass(
                bench.request, search.reference, winner, before, before * ratio, search.measured, search.discarded
            )
        )

    def _checked(self, bench: Workbench, each: Pass) -> Iterator[bool]:
        """Go on once the fingerprint of a pass is there."""
        for _ in bench.check_in_parts(each):
            self._finish_on_cpu()
            yield MORE
        yield from self._arrival()

    def _finish_on_cpu(self) -> None:
        if self._queue is None:
            self._ctx.finish()

    def _is_right(self, bench: Workbench, trial: Trial, right: npt.NDArray[np.float64]) -> bool:
        same = bench.same(bench.fingerprint(), right)
        if not same:
            warn_of_wrong(bench.request, describe(trial.kernel))
        return same

    def _arrival(self) -> Iterator[bool]:
        """Go on once the GPU has come to here."""
        if self._queue is None:
            self._ctx.finish()
            yield MORE
            return
        stamps = self._queue.stamp(), self._queue.stamp()
        yield STOP
        while not self._queue.passed(stamps[1]):
            yield STOP
        self._queue.microseconds_between(*stamps)

    def _time(
        self, bench: Workbench, first: Pass, second: Pass, thorough: bool, took: list[float], ratios: list[float]
    ) -> Iterator[bool]:
        """Fill in what calls of the first took, in microseconds, and the second's times as multiples of them."""
        pair = self._pair_by_wall if self._queue is None else self._pair_in_queue
        # The first of each are left out.
        for each in (first, second):
            bench.run(each)
            self._finish_on_cpu()
            yield MORE
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
            yield MORE

    def _pair_in_queue(
        self, first: Callable[[], None], second: Callable[[], None], took: list[float], times: list[float]
    ) -> Iterator[bool]:
        """Nothing is filled in if the GPU came to the calls before all of them were queued."""
        queue = self._queue
        assert queue is not None
        calls = 1
        if took:
            each = took[-1] * 1e-6 + self._busy_factor * self._call_seconds
            calls = int(np.clip(self._budget / (2 * each), 1, _MOST_CALLS))
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
        yield STOP
        while not queue.passed(stamps[3]):
            yield STOP
        microseconds = [queue.microseconds_between(*stamps[at : at + 2]) / calls for at in (0, 2)]
        if kept_full:
            times.extend(microseconds)
        elif self._busy_factor < _MOST_BUSY_FACTOR:
            self._busy_factor *= 2
        else:
            raise TimingError(NOT_KEPT_BUSY)
