"""Another process with a context of its own, for what would hold up a frame: that side of it (see `Worker`)."""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import moderngl

from glfft.algorithms.passes import AxisRequest, PassSpec
from glfft.engine.compiled_pass import Pass
from glfft.engine.images import Carrier, Carriers
from glfft.errors import ContextError, GlfftError
from glfft.gl.context import driver_of, open_context
from glfft.tuning.precompile import NotAhead
from glfft.tuning.report import TunedPass
from glfft.tuning.stepped import SteppedSearch
from glfft.wisdom import store
from glfft.wisdom.entries import Entry

# The program that draws comes first: beside it this one gets a tenth of a core, and all that is idle.
_NICE = 10

_MOST_DEVICES = 8


@dataclass(frozen=True)
class Device:
    """What must be alike for one process to profit from another's work."""

    renderer: str
    driver: str

    @classmethod
    def of(cls, ctx: moderngl.Context) -> Device:
        """That of a context."""
        return cls(str(ctx.info["GL_RENDERER"]), driver_of(ctx))


@dataclass(frozen=True)
class CompileJob:
    """Compile pass after pass; a task is a `PassSpec`, an answer None."""

    device: Device


@dataclass(frozen=True)
class SearchJob:
    """Search the kernels of requests, knowing what is known; a task is a step's budget in milliseconds, an answer its
    `Progress`.
    """

    device: Device
    requests: tuple[AxisRequest, ...]
    quick: bool
    known: tuple[Entry, ...]


@dataclass(frozen=True)
class Progress:
    """How far a search has come.

    Attributes:
        share: how much is done, from 0 to 1.
        found: since the last one.
        warnings: what to warn of.
        error: why there will be no more.
    """

    share: float = 0.0
    found: tuple[TunedPass, ...] = ()
    warnings: tuple[str, ...] = ()
    error: GlfftError | None = None


def main() -> None:
    """Do the job that comes first with the tasks that come after it, until there are no more.

    Ends at once where there is no context on that device.
    """
    if hasattr(os, "nice"):
        os.nice(_NICE)
    # Whatever else is printed, be it by a driver, is no answer.
    tasks, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with suppress(EOFError):
        job = pickle.load(tasks)
        ctx = _context_on(job.device)
        do = _compiler(ctx) if isinstance(job, CompileJob) else _searcher(ctx, job)
        while True:
            pickle.dump(do(pickle.load(tasks)), answers)
            answers.flush()


def _context_on(device: Device) -> moderngl.Context:
    """A context on a device, the default one or whichever it is.

    Raises:
        ContextError: there is none.
    """
    for index in (None, *range(_MOST_DEVICES)):
        with suppress(ContextError):  # there may be others
            ctx = open_context(index)
            if Device.of(ctx) == device:
                return ctx
            ctx.release()
    raise ContextError("There is no such device.")


def _compiler(ctx: moderngl.Context) -> Callable[[PassSpec], None]:
    """Compiles a pass and runs a single group of it, between carriers like its own: software renderers compile for the
    formats they find bound.
    """

    def compile_pass(spec: PassSpec) -> None:
        # Who asks will meet an error again.
        with suppress(GlfftError, MemoryError):
            each = Pass(ctx, replace(spec, groups=(1, 1, 1)))
            made: list[Carrier] = []
            try:
                made.extend(_ends(ctx, spec))
                each.run(*made)
                ctx.finish()
            finally:
                for carrier in made:
                    carrier.release()
                if spec.snippets:
                    each.program.release()

    return compile_pass


def _ends(ctx: moderngl.Context, spec: PassSpec) -> Iterator[Carrier]:
    for holds, shape in ((spec.reads, spec.source_shape), (spec.writes, spec.target_shape)):
        storage = spec.request.storage.of_reals if holds == "real" else spec.request.storage
        yield Carriers(ctx, shape, spec.request.layers, storage).make()


def _searcher(ctx: moderngl.Context, job: SearchJob) -> Callable[[float], Progress]:
    # What is found is for the other process to keep.
    os.environ[store.VARIABLE] = ""
    store.remember(job.known)
    search = SteppedSearch(ctx, job.requests, job.quick, NotAhead())

    def step(budget_ms: float) -> Progress:
        failed = None
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            try:
                search.step(budget_ms)
                # Nothing else would send it off.
                ctx.finish()
            except GlfftError as error:
                failed = error
        messages = tuple(str(each.message) for each in caught if each.category is UserWarning)
        return Progress(search.share_done, search.take_found(), messages, failed)

    return step
