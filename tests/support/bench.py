"""Results of a benchmark that several tests share."""

from __future__ import annotations

from collections.abc import Sequence

from glfft.apps.bench.frames import FINISH_EACH, FREE_RUNNING
from glfft.apps.bench.own import Setup
from glfft.apps.bench.results import Report, Result
from glfft.apps.bench.suite import Case
from glfft.apps.bench.workload import IN_PLACE, OUT_OF_PLACE, Measured
from glfft.profiling.timing import Timing


def measured(out_of_place: float, in_place: float | None = None, snr: float = 137.0) -> Measured:
    """Timings in microseconds, with quartiles a tenth below and above."""
    times = {OUT_OF_PLACE: out_of_place, **({} if in_place is None else {IN_PLACE: in_place})}
    return Measured({way: Timing(time, (0.9 * time, 1.1 * time), 5, "wall") for way, time in times.items()}, snr)


def frame_times(free_running: float, finish_each: float, snr: float = 137.0) -> Measured:
    """Times of a frame in microseconds."""
    times = {FREE_RUNNING: free_running, FINISH_EACH: finish_each}
    return Measured({way: Timing(time, (time, time), 5, "wall") for way, time in times.items()}, snr)


RESULT = Result(
    case=Case((4, 8), batch=3),
    algorithm="stockham-radix4",
    measured=measured(12.0, 10.0),
    bytes_moved=1024,
    dispatches=2,
    floor_db=130.0,
    copy=Timing(4.0, (4.0, 4.0), 5, "wall"),
    setup=Setup(123.0, 4.56),
    python_us=7.89,
    peers={"scipy": measured(20.0), "cufft": measured(40.0, 30.0)},
)


def report(results: Sequence[Result] = (RESULT,)) -> Report:
    """A report on these results."""
    return Report("a device", {"peers": {"scipy": "scipy.fft 1.17"}}, results, ["too long."])
