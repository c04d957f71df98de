"""The program of a worker process: it compiles or searches in a context of its own, see `glfft.tuning.worker`."""

import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import moderngl

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import Image, ImageSpec
from glfft.errors import ContextError, GlfftError
from glfft.gl.context import EGL, open_context, state_of
from glfft.gl.device import Device
from glfft.tuning.measure import LocalSearch
from glfft.tuning.report import TunedPass
from glfft.wisdom import store
from glfft.wisdom.constants import KnownConstants
from glfft.wisdom.entries import Entry

# The program that draws comes first: on a busy core this one gets a tenth of the time, on an idle one all of it.
_NICE = 10

_MOST_DEVICES = 8


@dataclass(frozen=True)
class PrecompileJob:
    """Compile passes. A task is a `PassSpec`, its answer None."""

    device: Device


@dataclass(frozen=True)
class SearchJob:
    """Search the kernels of requests. A task is the budget of a step in milliseconds, its answer a `SearchProgress`."""

    device: Device  # where to search
    requests: tuple[AxisRequest, ...]  # what to tune
    quick: bool  # measure 8 kernels a pass instead of about 50
    known: tuple[Entry, ...]  # what has been measured before
    constants: tuple[KnownConstants, ...] = ()  # of devices, by which kernels are chosen where nothing was


@dataclass(frozen=True)
class SearchProgress:
    """How far a search has come."""

    share: float = 0.0  # how much is done, from 0 to 1
    found: tuple[TunedPass, ...] = ()  # what was found since the last answer
    warnings: tuple[str, ...] = ()  # messages to warn with
    error: GlfftError | None = None  # why the search has ended early


def main() -> None:
    """Read a job from the standard input and then its tasks, and answer each on the standard output. Raises
    ContextError where there is no context on that device.
    """
    if hasattr(os, "nice"):
        os.nice(_NICE)
    # Whatever else is printed, by a driver for example, must not look like an answer.
    tasks, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with suppress(EOFError):
        job = pickle.load(tasks)
        ctx = _context_on(job.device)
        do = _precompiler(ctx) if isinstance(job, PrecompileJob) else _searcher(ctx, job)
        while True:
            pickle.dump(do(pickle.load(tasks)), answers)
            answers.flush()


def _context_on(device: Device) -> moderngl.Context:
    """A context on a device, whichever number it has. Raises ContextError where there is none."""
    for index in (None, *range(_MOST_DEVICES)):
        with suppress(ContextError):  # the next one may be it
            ctx = open_context(index, None if index is None else EGL)
            if _names(state_of(ctx).device) == _names(device):
                return ctx
            ctx.release()
    raise ContextError("There is no such device.")


def _names(device: Device) -> tuple[str, str]:
    """What two processes must have in common for one to use what the other compiles or measures."""
    return device.renderer, device.driver


def _precompiler(ctx: moderngl.Context) -> Callable[[PassSpec], None]:
    """A function that compiles a pass.

    It also runs a single work group of it, between textures or buffers like the pass's own: a software renderer
    compiles at the first dispatch, and for the formats that it finds bound.
    """

    def compile_pass(spec: PassSpec) -> None:
        # The process that asks will meet the same error.
        with suppress(GlfftError, MemoryError):
            compiled = CompiledPass(ctx, replace(spec, groups=(1, 1, 1)))
            made: list[Image] = []
            try:
                made.extend(_images_of(ctx, spec))
                source, target, *ping_pong = made
                compiled.run(source, target, ping_pong)
                ctx.finish()
            finally:
                for image in made:
                    image.release()
                if spec.snippets:
                    compiled.program.release()

    return compile_pass


def _images_of(ctx: moderngl.Context, spec: PassSpec) -> Iterator[Image]:
    """New textures or buffers for a pass to read and to write, and the two between its stages if it has them."""
    storage, layers = spec.request.storage, spec.request.layers
    for lines in (spec.source_lines, spec.target_lines):
        yield ImageSpec(ctx, lines.shape, layers, storage.of(lines.points)).make()
    for _ in range(2 if spec.ping_pong else 0):
        yield ImageSpec(ctx, spec.request.shape, layers, spec.ping_pong_storage).make()


def _searcher(ctx: moderngl.Context, job: SearchJob) -> Callable[[float], SearchProgress]:
    """A function that does a step of a search."""
    # The process that asks keeps what is found; this one saves nothing.
    os.environ[store.VARIABLE] = ""
    store.remember(job.known)
    for each in job.constants:
        store.remember_constants(each)
    search = LocalSearch(ctx, job.requests, job.quick)

    def step(budget_ms: float) -> SearchProgress:
        failed = None
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            try:
                search.step(budget_ms)
                # Without this the driver may hold back what was queued.
                ctx.finish()
            except GlfftError as error:
                failed = error
        messages = tuple(str(each.message) for each in caught if each.category is UserWarning)
        return SearchProgress(search.share_done, search.take_found(), messages, failed)

    return step
