"""Tuning while a program runs, within the time that a frame has left."""

import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from numbers import Real

import moderngl

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.errors import OptionError
from glfft.gl.context import is_software, state_of
from glfft.gl.releasable import Keeper, released_on_error
from glfft.profiling.timing import timer_name
from glfft.tuning.measure import LocalSearch
from glfft.tuning.precompile import CONTINUE, Precompiler, TimeSlices, precompiled
from glfft.tuning.report import TunedPass, TuningReport
from glfft.tuning.worker import Worker
from glfft.tuning.worker_main import SearchJob, SearchProgress
from glfft.wisdom import store

Install = Callable[[Sequence[TunedPass]], Iterator[PassSpec]]
_LONGEST_STEP_MS = 1e6  # however long a step may take: some clocks and queues know no infinity


class RemoteSearch(Keeper):
    """The search in another process, where a driver's compiler holds up no frame; it is used as `LocalSearch` is."""

    def __init__(self, job: SearchJob) -> None:
        self._worker = self._own(Worker(job))
        self._left = len(job.requests)
        self.share_done = 0.0  # to 1

    @property
    def lost(self) -> bool:
        return self._worker.lost

    @property
    def done(self) -> bool:
        return not self._left

    def step(self, budget_ms: float) -> list[TunedPass]:
        """Take what has come, and let the worker go on for as long as the budget. Raises what the worker has raised."""
        progress: SearchProgress
        found: list[TunedPass] = []
        for progress in self._worker.answers():
            self.share_done = max(self.share_done, progress.share)
            found += progress.found
            self._left -= len(progress.found)
            if self.done:
                self.release()
            for message in progress.warnings:
                warnings.warn(message, stacklevel=3)
            if progress.error is not None:
                raise progress.error
        if not self.done and not self._worker.busy:
            self._worker.ask(budget_ms)
        return found


class BackgroundTuner(Keeper):
    """Tunes a plan frame by frame; `Plan.background_tuner` makes one.

        tuner = plan.background_tuner()
        while drawing:
            plan.forward(source, target)
            if not tuner.done:
                tuner.step(budget_ms=1.0)

    On a GPU a worker process with its own context compiles and measures, and a step takes next to no time. On a
    software renderer the worker only compiles, and steps measure. Without a worker process steps compile too, and take
    as long as the driver's compiler. When a kind of pass is measured, steps install its fastest kernels, one a step.

    A step changes the GL state of a run, the array buffer and the last texture unit. On a software renderer, and
    without a worker process, it also changes storage buffer bindings 0 and 4, and earlier OpenGL errors are lost. Until
    the tuner is done or released, it or its worker holds two textures or buffers as large as the plan's.

    It is made of a context, requests to tune, and what installs: `install` uses what was found, and yields each pass
    that it is about to compile. With `quick` 8 kernels a pass are measured instead of about 50.

    Attributes:
        done: whether there is nothing more to do.
        report: what was found so far.
    """

    def __init__(
        self, ctx: moderngl.Context, requests: Sequence[AxisRequest], install: Install, quick: bool = False
    ) -> None:
        self._ctx, self._install = ctx, install
        self._require_current = state_of(ctx).check.require
        self._requests, self._quick = tuple(requests), quick
        self._installation: TimeSlices | None = None
        self._precompiler: Precompiler | None = None
        self._search: LocalSearch | RemoteSearch | None = None
        self._share_before = 0.0
        self.done = False
        self.report = TuningReport((), timer_name(ctx))
        if not requests:
            self.release()
        elif is_software(ctx):
            self._precompiler = self._own(Precompiler(ctx))
            self._search = self._own(LocalSearch(ctx, self._requests, quick, self._precompiler))
        else:
            lengths = {request.length for request in self._requests}
            known = *(entry for entry in store.entries() if entry.length in lengths), *store.constants()
            job = SearchJob(state_of(ctx).device, self._requests, quick, known)
            self._search = self._own(RemoteSearch(job))

    @property
    def share_done(self) -> float:
        """How much is done, from 0 to 1."""
        if self.done or self._search is None:
            return 1.0
        return self._share_before + (1.0 - self._share_before) * self._search.share_done

    def step(self, budget_ms: float = 1.0) -> bool:
        """Do a little of the work.

        Args:
            budget_ms: GPU time that the step may take, wall time on software renderers. A step that installs is
                measured by wall time, and takes as long as the driver compiles one program.

        Returns whether there is nothing more to do. Raises what `Plan.tune` does, OptionError where the budget is not a
        number, ShaderError where the driver refuses a kernel together with the plan's snippets.
        """
        if not isinstance(budget_ms, Real) or budget_ms != budget_ms:  # as not-a-number is
            raise OptionError(f"The budget is {budget_ms!r} and must be a number of milliseconds.")
        budget_ms = float(min(budget_ms, _LONGEST_STEP_MS))
        if self.done or self._search is None:
            return True
        self._require_current()
        with released_on_error([self]):
            if self._installation is not None:
                self._installation.work(budget_ms * 1e-3)
                if self._installation.done:
                    self._installation = None
            else:
                if found := self._search.step(budget_ms):
                    self.report = TuningReport((*self.report.passes, *found), self.report.timer)
                    self._installation = TimeSlices(self._install_in_slices(found))
                if self._search.lost and not self._search.done:
                    # Go on in this process, without the worker.
                    self._share_before = self.share_done
                    left = self._requests[len(self.report.passes) :]
                    self._search = self._own(LocalSearch(self._ctx, left, self._quick, self._precompiler))
            if self._search.done and self._installation is None:
                self.release()
        return self.done

    def release(self) -> None:
        """Stop, and free textures and worker. The report stays."""
        self.done = True
        if self._installation is not None:
            self._installation.close()
        super().release()

    def _install_in_slices(self, found: Sequence[TunedPass]) -> Generator[bool, None, None]:
        for spec in self._install(found):
            yield CONTINUE  # the pass before this one has been compiled by now
            yield from precompiled(self._precompiler, spec)
