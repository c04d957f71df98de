"""Programs compiled before they are needed, so that no frame waits for a compiler; and slices of work within a budget.

A software renderer compiles on the CPU, for up to half a second a program, at the first dispatch and in the thread that
asks for it, into a cache on disk that all processes share. So another process compiles a program first, and this one
takes it from the cache in a millisecond or two.
"""

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import moderngl

from glfft.algorithms.passes import PassSpec
from glfft.gl.context import state_of
from glfft.gl.releasable import Keeper
from glfft.tuning.worker import Worker

# How a slice ends: the next one may follow at once, or there is nothing to do before the GPU or another process got on.
CONTINUE, PAUSE = True, False

Specs = dict[int, list[PassSpec]]  # passes in order, by direction
Choosing = Generator[bool, None, Specs]
Compiling = Callable[[Specs], Iterator[PassSpec]]

_FORGETTING = 0.9  # the longest slice counts this much less with each slice after it


class TimeSlices:
    """Does the slices of a generator that yields CONTINUE or PAUSE after each."""

    def __init__(self, slices: Generator[bool, None, None]) -> None:
        self._slices = slices
        self._longest = 0.0
        self.done = False

    def work(self, seconds: float) -> None:
        """Do slices until a PAUSE, one at least, while one as long as the longest fits. An error ends the work."""
        began = now = time.perf_counter()
        while now == began or now + self._longest <= began + seconds:
            try:
                ended_with = next(self._slices)
            except BaseException as error:
                self.done = True
                if isinstance(error, StopIteration):
                    return
                raise
            before, now = now, time.perf_counter()
            # A slice that only waits says nothing of how long the others take.
            self._longest = max(now - before, self._longest * (1.0 if ended_with is PAUSE else _FORGETTING))
            if ended_with is PAUSE:
                return

    def close(self) -> None:
        self.done = True
        self._slices.close()


class Precompiler(Keeper):
    """Has a worker process compile one pass at a time, for the cache that a context's driver looks into."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._device = state_of(ctx).device
        self._worker: Worker | None = None
        # A program that is linked here may still be uncompiled: its renderer compiles it when it first runs.
        self._known: set[str] = state_of(ctx).cache("precompiled", set)

    def pauses(self, spec: PassSpec) -> Iterator[bool]:
        """Pause until a pass is compiled, or waiting gains nothing."""
        if spec.source.text in self._known:
            return
        self._worker = worker = self._worker or self._own(Worker(self._device))
        worker.ask(replace(spec))  # a copy holds no assembled text yet, and so is much less to send
        yield PAUSE
        while worker.busy:
            yield PAUSE
            if worker.answers():
                self._known.add(spec.source.text)
        yield PAUSE  # a renderer may write its cache in a thread of its own, a little later

    def ending(self) -> Iterator[bool]:
        """Pause until the worker process has ended, which by itself it does soon."""
        if self._worker is not None:
            self._worker.finish()
            while not self._worker.lost:
                self._worker.answers()
                yield PAUSE


def precompiled(precompiler: Precompiler | None, spec: PassSpec) -> Iterator[bool]:
    """Pause once, and until a precompiler is done with a pass."""
    yield PAUSE
    if precompiler is not None:
        yield from precompiler.pauses(spec)


def compiled_later(ctx: moderngl.Context, choosing: Choosing, compiling: Compiling, owned: list[Any]) -> TimeSlices:
    """The work of choosing passes and of compiling them once a worker process, added to `owned`, has compiled all. That
    has ended by then: NVIDIA's driver (580.159) finds nothing that a living one has written to the cache.
    """
    owned.append(precompiler := Precompiler(ctx))

    def slices() -> Generator[bool, None, None]:
        with precompiler:
            specs = yield from choosing
            for spec in dict.fromkeys(chain(*specs.values())):
                yield from precompiled(precompiler, spec)
            yield from precompiler.ending()
        for _ in compiling(specs):
            yield CONTINUE

    return TimeSlices(slices())
