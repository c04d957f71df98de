"""Recorded frames on one time axis: who waits for whom, and the trace events that Perfetto (ui.perfetto.dev) opens."""

import json
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

_READINGS = 8
_PROCESS, _CPU, _TIMER = 1, 1, 2  # the process, and its tracks

GPU_BOUND, CPU_BOUND, EVEN, SOFTWARE = "GPU-bound", "CPU-bound", "even", "software renderer"

# Shares of the time from one frame's start to the next one's.
_BUSY = 0.9
_BEHIND = 0.1


class Wait(NamedTuple):
    """The calling thread waited: nanoseconds of the CPU's clock, and the path of the open section, if there was one."""

    name: str
    start: int
    end: int
    path: tuple[str, ...] | None


@dataclass(slots=True)
class SectionRun:
    """One run of a section: nanoseconds of the CPU's clock, and two marks of the profiler's clock."""

    path: tuple[str, ...]  # the section's name after those of its parents; () is the frame
    submitted: int  # when the CPU began to submit the first mark
    cpu_start: int  # cpu_start, cpu_end: between the two marks
    cpu_end: int
    cpu: int  # from cpu_start to cpu_end, without waiting
    start: int  # start, end: handles of the marks; once the results have arrived, nanoseconds of the profiler's clock
    end: int
    after: int  # when the CPU was done with the second mark
    moved: int = 0  # bytes that the section must read and write; 0 where that is unknown


@dataclass(slots=True)
class Frame:
    number: int  # counted from 1
    since_previous: float | None  # milliseconds from the previous frame's start to this one's; None where there is none
    worked: int  # nanoseconds of processor time that the calling thread took in between
    silent: bool  # not timed: its sections check their nesting and do nothing else
    complete: bool = False  # ended without an exception
    runs: list[SectionRun] = field(default_factory=list)  # in the order of their ends, the frame's last
    waits: list[Wait] = field(default_factory=list)  # inside it, and between the previous frame's end and its start


class ClockSample(NamedTuple):
    """A moment on the CPU's clock (time.perf_counter_ns) and on another clock, to within `error` nanoseconds."""

    cpu: int
    other: int
    error: int


class Alignment(NamedTuple):
    """Two samples, before and after all that is placed on the CPU's clock, between which clocks drift evenly."""

    first: ClockSample
    last: ClockSample

    @property
    def error(self) -> int:
        """How far off a time may be, in nanoseconds."""
        return max(self.first.error, self.last.error)

    @property
    def drift(self) -> float:
        """By how much the CPU's clock runs faster than the other one, in parts per million."""
        other = self.last.other - self.first.other
        return 1e6 * (self.last.cpu - self.first.cpu - other) / other if other > 0 else 0.0

    def on_cpu(self, other: int) -> int:
        """A time of the other clock on the CPU's clock, in nanoseconds; later times never come out earlier."""
        span = self.last.other - self.first.other
        since = other - self.first.other
        # Whole numbers: a float has too few digits for nanoseconds since a machine was started.
        return self.first.cpu + (since * (self.last.cpu - self.first.cpu) // span if span > 0 else since)


def sample_clock(read: Callable[[], int]) -> ClockSample:
    """Read another clock between two readings of the CPU's; its error is half the time that the reading took."""
    samples = []
    for _ in range(_READINGS):
        before = time.perf_counter_ns()
        other = read()
        after = time.perf_counter_ns()
        samples.append(ClockSample((before + after) // 2, other, (after - before + 1) // 2))
    return min(samples, key=lambda sample: sample.error)


def to_trace(frames: Iterable[Frame], alignment: Alignment, *, timer: str, device: str, finishes: bool) -> str:
    """Chrome's trace events as JSON, µs from the first; `finishes`: the CPU waited at marks, events named "finish"."""
    events: list[tuple[int, int, int, int, dict[str, Any]]] = []  # track, start, -duration, depth, the rest

    def add(track: int, start: int, end: int, depth: int, name: str, category: str, **values: Any) -> None:
        events.append((track, start, start - end, depth, {"name": name, "cat": category, "args": values}))

    for frame in frames:
        for wait in frame.waits:
            depth, around = (0, "") if wait.path is None else (len(wait.path) + 1, "/".join(wait.path) or "frame")
            add(_CPU, wait.start, wait.end, depth, wait.name, "wait", frame=frame.number, section=around)
        for run in frame.runs:
            name, depth = run.path[-1] if run.path else "frame", len(run.path)
            section = {"frame": frame.number, "section": "/".join(run.path) or "frame"}
            add(_CPU, run.cpu_start, run.cpu_end, depth, name, "cpu", **section, without_waits_us=run.cpu / 1e3)
            start, end = alignment.on_cpu(run.start), alignment.on_cpu(run.end)
            add(_TIMER, start, end, depth, name, "timer", **section, since_submitted_us=(start - run.submitted) / 1e3)
            if finishes:
                add(_CPU, run.submitted, run.cpu_start, depth, "finish", "wait", **section)
                add(_CPU, run.cpu_end, run.after, depth, "finish", "wait", **section)
    events.sort(key=lambda event: event[:4])  # parents before their children
    origin = min((event[1] for event in events), default=0)
    exactness = {"error_us": alignment.error / 1e3, "drift_ppm": round(alignment.drift, 3)}
    traced: list[dict[str, Any]] = []
    for kind, track, name in (("process", 0, "glfft"), ("thread", _CPU, "CPU"), ("thread", _TIMER, timer)):
        traced.append({"ph": "M", "pid": _PROCESS, "tid": track, "name": f"{kind}_name", "args": {"name": name}})
    for track, start, minus, _, rest in events:
        times = {"ts": (start - origin) / 1e3, "dur": -minus / 1e3}
        traced.append({"ph": "X", "pid": _PROCESS, "tid": track, **times, **rest})
    about = {"timer": timer, "device": device, **exactness}
    return json.dumps({"displayTimeUnit": "ms", "otherData": about, "traceEvents": traced})


class Balance(NamedTuple):
    """How much of the time between frames GPU and CPU are busy, and what follows from it; NaN where unknown."""

    # "GPU-bound" where the GPU is busy for at least 0.9 of the time and "CPU-bound" where the CPU is. Where both are,
    # the GPU either falls behind by 0.1 of the time or more, and sets the pace, or waits for commands. "even" where
    # neither is, as when both wait for the display. "software renderer": there is no GPU. "": too few frames known.
    bound: str
    gpu: float = math.nan  # share that the GPU takes from a frame's first command to its last, at most 1
    cpu: float = math.nan  # share that the calling thread spends outside waits, as processor time


def balance_of(frames: Iterable[Frame], alignment: Alignment) -> Balance:
    """The balance of consecutive frames: medians."""
    in_row = ((before, after) for before, after in pairwise(frames) if after.number == before.number + 1)
    shares = [_shares(before, after, alignment) for before, after in in_row]
    if not shares:
        return Balance("")
    gpu, cpu, behind = (median(column) for column in zip(*shares, strict=True))
    if gpu >= _BUSY and (cpu < _BUSY or behind >= _BEHIND):
        return Balance(GPU_BOUND, gpu, cpu)
    return Balance(CPU_BOUND if cpu >= _BUSY else EVEN, gpu, cpu)


def _shares(before: Frame, after: Frame, alignment: Alignment) -> tuple[float, float, float]:
    """How busy GPU and CPU are, as shares of a frame, and how long after the CPU the GPU ends it."""
    first, second = before.runs[-1], after.runs[-1]  # the sections that end last are the frames
    start, end = first.submitted, second.submitted
    gpu = (first.end - first.start) / max(1, second.start - first.start)
    behind = (alignment.on_cpu(first.end) - first.after) / (end - start)
    waits = [wait for wait in (*before.waits, *after.waits) if wait.name != "compile"]
    waited, until = 0, start  # a wait within another one counts once
    for wait in sorted(waits, key=lambda wait: wait.start):
        waited += max(0, min(wait.end, end) - max(wait.start, until))
        until = max(until, wait.end)
    return min(1.0, gpu), max(0.0, min(after.worked, end - start - waited) / (end - start)), behind
