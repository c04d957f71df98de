"""The program of a worker process: it compiles or searches in a context of its own, see `glfft.tuning.worker`."""

import os
import pickle
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import moderngl

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import Image, ImageSpec
from glfft.errors import ContextError, GlfftError
from glfft.gl.context import EGL, open_context, state_of
from glfft.gl.device import Device
from glfft.gl.releasable import release_all
from glfft.tuning.measure import LocalSearch
from glfft.tuning.report import TunedPass
from glfft.wisdom import store
from glfft.wisdom.entries import Entry, KnownConstants

_NICE = 10  # the program that draws comes first: on a busy core this one gets a tenth of the time, on an idle one all
_MOST_DEVICES = 8


@dataclass(frozen=True)
class SearchJob:
    """Search the kernels of requests. A task is the budget of a step in milliseconds, its answer a `SearchProgress`."""

    device: Device  # where to search
    requests: tuple[AxisRequest, ...]  # what to tune
    quick: bool  # measure 8 kernels a pass instead of about 50
    known: tuple[Entry | KnownConstants, ...]  # what has been measured before


@dataclass(frozen=True)
class SearchProgress:
    share: float = 0.0  # how much is done, from 0 to 1
    found: tuple[TunedPass, ...] = ()  # what was found since the last answer
    warnings: tuple[str, ...] = ()  # messages to warn with
    error: GlfftError | None = None  # why the search has ended early


def main() -> None:
    """Answer tasks on the standard input by its first item, the job. Raises ContextError without that device."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    # Whatever else is printed, by a driver for example, must not look like an answer.
    tasks, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with suppress(EOFError):
        job = pickle.load(tasks)
        compiles = isinstance(job, Device)
        ctx = _context_on(job if compiles else job.device)
        do = partial(_compile, ctx) if compiles else _searcher(ctx, job)
        while True:
            pickle.dump(do(pickle.load(tasks)), answers)
            answers.flush()


def _context_on(device: Device) -> moderngl.Context:
    """A context on a device, whichever number it has. Raises ContextError where there is none."""
    for index in (None, *range(_MOST_DEVICES)):
        with suppress(ContextError):  # the next one may be it
            ctx = open_context(index, None if index is None else EGL)
            found = state_of(ctx).device
            # By these names one process may use what the other compiles or measures.
            if (found.renderer, found.driver) == (device.renderer, device.driver):
                return ctx
            ctx.release()
    raise ContextError("There is no such device.")


def _compile(ctx: moderngl.Context, spec: PassSpec) -> None:
    """Compile a pass, and run one work group of it: a CPU compiles then, for the formats bound."""
    # The process that asks will meet the same error.
    with suppress(GlfftError, MemoryError):
        compiled = CompiledPass(ctx, replace(spec, groups=(1, 1, 1)))
        ends = (spec.source_lines.shape, spec.source_storage), (spec.target_lines.shape, spec.target_storage)
        between = [(spec.request.shape, spec.ping_pong_storage)] * 2 if spec.ping_pong else []
        made: list[Image] = []
        try:
            for shape, storage in (*ends, *between):
                made.append(ImageSpec(ctx, shape, spec.request.layers, storage).make())
            source, target, *ping_pong = made
            compiled.run(source, target, ping_pong)
            ctx.finish()
        finally:
            release_all([*made, *([compiled.program] if spec.snippets else [])])


def _searcher(ctx: moderngl.Context, job: SearchJob) -> Callable[[float], SearchProgress]:
    os.environ[store.VARIABLE] = ""  # the process that asks keeps what is found; this one saves nothing
    store.remember(job.known)
    search = LocalSearch(ctx, job.requests, job.quick)

    def step(budget_ms: float) -> SearchProgress:
        failed, found = None, ()
        with warnings.catch_warnings(record=True, action="always", category=UserWarning) as caught:
            try:
                found = search.step(budget_ms)
                ctx.finish()  # without this the driver may hold back what was queued
            except GlfftError as error:
                failed = error
        messages = tuple(str(each.message) for each in caught if each.category is UserWarning)
        return SearchProgress(search.share_done, found, messages, failed)

    return step
