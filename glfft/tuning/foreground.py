"""The search on request: kernel after kernel, each beside the one in use, until all are measured."""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable, Iterable

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms.passes import AxisRequest, PassSpec
from glfft.algorithms.stockham.kernel import Kernel
from glfft.engine.compiled_pass import Pass
from glfft.errors import ShaderError
from glfft.gl.context import is_software
from glfft.profiling.profiler import GPU_TIMER, WALL_TIMER
from glfft.tuning.report import TunedPass, TuningReport, describe
from glfft.tuning.search import Search
from glfft.tuning.timing import ContextTimer, Subject
from glfft.tuning.workbench import Workbench, plain

# Pairs of samples for a kernel, and for one of the best.
_SAMPLES = 7
_SAMPLES_THOROUGH = 21
# Slow passes get fewer, within so many seconds, but not below the fewest.
_SECONDS = 0.3
_SECONDS_THOROUGH = 1.5
_FEWEST_SAMPLES = 3
# A kernel as slow as this in each of its first samples is given up.
_HOPELESS = 1.5


def tunable(specs: Iterable[PassSpec]) -> list[AxisRequest]:
    """The requests among passes whose kernel was a choice, each kind once."""
    requests: dict[object, AxisRequest] = {}
    for spec in specs:
        if spec.why:
            request = plain(spec.request)
            requests.setdefault((request.length, request.measured_axis, request.points), request)
    return list(requests.values())


def search_all(
    ctx: moderngl.Context,
    requests: Iterable[AxisRequest],
    quick: bool = False,
    progress: Callable[[float], object] = lambda share: None,
) -> TuningReport:
    """Search the kernels of requests, each by itself.

    Args:
        progress: called with the share done, from 0 to 1.

    Raises:
        ContextError: the device has not enough memory.
        TimingError: the GPU's time cannot be told.
    """
    requests = list(requests)
    found: list[TunedPass] = []
    if requests:
        with ContextTimer(ctx) as timer:
            for index, request in enumerate(requests):
                found.append(
                    _search(ctx, request, quick, timer, lambda share, i=index: progress((i + share) / len(requests)))
                )
    return TuningReport(tuple(found), timer_name(ctx))


def timer_name(ctx: moderngl.Context) -> str:
    """The clock passes are measured by in a context."""
    return WALL_TIMER if is_software(ctx) else GPU_TIMER


def ratio_of(microseconds: float, reference: float) -> float:
    """The ratio of two times, each a nanosecond at least: clocks that tick slowly may show none."""
    return max(microseconds, 1e-3) / max(reference, 1e-3)


def warn_of_wrong(request: AxisRequest, described: str) -> None:
    """Say that a kernel computes something else than the one in use, which is a fault in a driver or in glfft."""
    warnings.warn(
        f"A kernel for {request.line_name} of {request.length} points gives another result than the one in use, so "
        f"it is left out: {described}.",
        stacklevel=2,
    )


def _search(
    ctx: moderngl.Context,
    request: AxisRequest,
    quick: bool,
    timer: ContextTimer,
    progress: Callable[[float], object],
) -> TunedPass:
    bench = Workbench(ctx, request)
    try:
        search = Search(bench.request, quick)
        in_use = bench.compile(search.reference)
        bench.check(in_use)
        right = bench.fingerprint()
        reference = timer.subject(lambda: bench.run(in_use))
        reference.prepare()
        took = [reference.sample()]
        while (trial := search.ask()) is not None:
            each = _checked(bench, trial.kernel, right)
            ratio = None
            if each is not None:
                ratio = _ratio(timer.subject(lambda run=each: bench.run(run)), reference, trial.thorough, took)
            search.tell(trial, ratio)
            progress(search.share_done)
        progress(1.0)
    finally:
        bench.release()
    before = max(statistics.median(took), 1e-3)
    winner, ratio = search.winner
    return TunedPass(bench.request, search.reference, winner, before, before * ratio, search.measured, search.discarded)


def _checked(bench: Workbench, kernel: Kernel, right: npt.NDArray[np.float64]) -> Pass | None:
    """A kernel ready to run, or None if it is of no use."""
    try:
        each = bench.compile(kernel)
        bench.check(each)
        sums = bench.fingerprint()
    except ShaderError:
        return None
    if not bench.same(sums, right):
        warn_of_wrong(bench.request, describe(kernel))
        return None
    return each


def _ratio(subject: Subject, reference: Subject, thorough: bool, took: list[float]) -> float:
    """The time of a call as a multiple of the reference's: the median over pairs of samples taken side by side."""
    samples, seconds = (_SAMPLES_THOROUGH, _SECONDS_THOROUGH) if thorough else (_SAMPLES, _SECONDS)
    subject.prepare()
    began = time.perf_counter()
    ratios: list[float] = []
    for _ in range(samples):
        took.append(reference.sample())
        ratios.append(ratio_of(subject.sample(), took[-1]))
        if len(ratios) > 1 and min(ratios) > _HOPELESS:
            break
        if len(ratios) >= _FEWEST_SAMPLES and time.perf_counter() - began > seconds:
            break
    return statistics.median(ratios)
