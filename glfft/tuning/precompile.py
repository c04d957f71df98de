"""Programs compiled before they are needed, so that no frame waits for a compiler; and slices of work within a budget.

A software renderer compiles on the CPU, for up to half a second a program, at the first dispatch and in the thread that
asks for it, into a cache on disk that all processes share. So another process compiles a program first, and this one
takes it from the cache in a millisecond or two. Without a cache or another process, compiling takes as long as ever.
"""

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

from moderngl import Context

from glfft.algorithms.passes import PassSpec
from glfft.gl.context import state_of
from glfft.gl.cuda import is_nvidias
from glfft.gl.releasable import Keeper
from glfft.tuning.worker import Worker

# How a slice ends: the next one may follow at once, or there is nothing to do before the GPU or another process got on.
CONTINUE, PAUSE = True, False

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

    def __init__(self, ctx: Context) -> None:
        self._device = state_of(ctx).device
        self._worker: Worker | None = None
        # NVIDIA's driver (580.159) does not look for what another process has written since this one wrote something.
        self._in_vain = is_nvidias(ctx)
        # A program that is linked here may still be uncompiled: its renderer compiles it when it first runs.
        self._known: set[str] = state_of(ctx).cache("precompiled", set)

    def pauses(self, spec: PassSpec) -> Iterator[bool]:
        """Pause until a pass is compiled, or waiting gains nothing."""
        if self._in_vain or spec.source.text in self._known:
            return
        self._worker = worker = self._worker or self._own(Worker(self._device))
        worker.ask(replace(spec))  # a copy holds no assembled text yet, and so is much less to send
        yield PAUSE
        while worker.busy:
            self._known.update(spec.source.text for _ in worker.answers())
            yield PAUSE
        yield PAUSE  # a renderer may write its cache in a thread of its own, a little later


def precompiled(precompiler: Precompiler | None, spec: PassSpec) -> Iterator[bool]:
    """Pause once, and until a precompiler is done with a pass."""
    yield PAUSE
    if precompiler is not None:
        yield from precompiler.pauses(spec)


def compiled_later(ctx: Context, compiling: Generator[PassSpec | None, None, None], owned: list[Any]) -> TimeSlices:
    """A generator's work, with a worker, added to `owned`, that compiles each pass it yields; None: nothing yet."""
    precompiler = Precompiler(ctx)
    owned.append(precompiler)

    def slices() -> Generator[bool, None, None]:
        with precompiler, closing(compiling):
            for spec in compiling:
                yield PAUSE if spec is None else CONTINUE
                if spec is not None:
                    yield from precompiled(precompiler, spec)

    return TimeSlices(slices())
