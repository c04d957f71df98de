"""Recorded frames on one time axis, in Chrome's trace event format, which Perfetto (ui.perfetto.dev) opens."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

ENDING = ".trace.json"

_READINGS = 8
_PROCESS, _CPU, _TIMER = 1, 1, 2  # the process, and its tracks


class Wait(NamedTuple):
    """The calling thread waited: nanoseconds of the CPU's clock, and the path of the open section, if there was one."""

    name: str
    start: int
    end: int
    path: tuple[str, ...] | None


@dataclass(slots=True)
class Frame:
    """What was timed of one frame.

    Attributes:
        number: counted from 1.
        since_previous: milliseconds from the previous frame's start to this one's; None where there was none.
        worked: nanoseconds of processor time that the calling thread took in between.
        silent: whether it is not timed: its sections check their nesting and do nothing else.
        complete: whether it ended without an exception.
        timings: runs of sections in the order of their ends, the frame's last.
        waits: those inside it and between the previous frame's end and its start.
    """

    number: int
    since_previous: float | None
    worked: int
    silent: bool
    complete: bool = False
    timings: list[Timing] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)


@dataclass(slots=True)
class Timing:
    """One run of a section: nanoseconds of the CPU's clock, and two marks of the profiler's clock.

    Attributes:
        path: the section's name after those of its parents; () is the frame.
        submitted: when the CPU began to submit the first mark.
        cpu_start, cpu_end: between the two marks.
        cpu: from cpu_start to cpu_end, without waiting.
        start, end: handles of the marks; once the results have arrived, nanoseconds of the profiler's clock.
        after: when the CPU was done with the second mark.
        moved: bytes that the section must read and write; 0 where that is unknown.
    """

    path: tuple[str, ...]
    submitted: int
    cpu_start: int
    cpu_end: int
    cpu: int
    start: int
    end: int
    after: int
    moved: int = 0


class ClockSample(NamedTuple):
    """A moment on the CPU's clock (time.perf_counter_ns) and on another clock, to within `error` nanoseconds."""

    cpu: int
    other: int
    error: int


class Alignment(NamedTuple):
    """Two samples, one before and one after all that is to be placed on the CPU's clock.

    Between them the clocks are taken to drift evenly. Then a time in between is as exact as the worse sample.
    """

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


def is_trace(path: str | os.PathLike[str]) -> bool:
    """Whether a file of this name is written as a trace."""
    return Path(path).name.lower().endswith(ENDING)


def to_trace(frames: Iterable[Frame], alignment: Alignment, *, timer: str, device: str, finishes: bool) -> str:
    """Frames as JSON text of Chrome's trace events; ts and dur are microseconds from the first event.

    Args:
        finishes: whether the CPU waited at the marks; these waits are then events named "finish".
    """
    events: list[tuple[int, int, int, int, dict[str, Any]]] = []  # track, start, -duration, depth, the rest

    def add(track: int, start: int, end: int, depth: int, name: str, category: str, **values: Any) -> None:
        events.append((track, start, start - end, depth, {"name": name, "cat": category, "args": values}))

    for frame in frames:
        for wait in frame.waits:
            depth, around = (0, "") if wait.path is None else (len(wait.path) + 1, "/".join(wait.path) or "frame")
            add(_CPU, wait.start, wait.end, depth, wait.name, "wait", frame=frame.number, section=around)
        for timing in frame.timings:
            name, depth = timing.path[-1] if timing.path else "frame", len(timing.path)
            section = {"frame": frame.number, "section": "/".join(timing.path) or "frame"}
            spent = timing.cpu / 1e3
            add(_CPU, timing.cpu_start, timing.cpu_end, depth, name, "cpu", **section, without_waits_us=spent)
            start, end = alignment.on_cpu(timing.start), alignment.on_cpu(timing.end)
            queued = (start - timing.submitted) / 1e3
            add(_TIMER, start, end, depth, name, "timer", **section, since_submitted_us=queued)
            if finishes:
                add(_CPU, timing.submitted, timing.cpu_start, depth, "finish", "wait", **section)
                add(_CPU, timing.cpu_end, timing.after, depth, "finish", "wait", **section)
    events.sort(key=lambda event: event[:4])  # parents before their children
    origin = min((event[1] for event in events), default=0)
    report = {
        "displayTimeUnit": "ms",
        "otherData": {
            "timer": timer,
            "device": device,
            "error_us": alignment.error / 1e3,
            "drift_ppm": round(alignment.drift, 3),
        },
        "traceEvents": [
            _named("process_name", 0, "glfft"),
            _named("thread_name", _CPU, "CPU"),
            _named("thread_name", _TIMER, timer),
            *(
                {"ph": "X", "pid": _PROCESS, "tid": track, "ts": (start - origin) / 1e3, "dur": -minus / 1e3, **rest}
                for track, start, minus, _, rest in events
            ),
        ],
    }
    return json.dumps(report)


def _named(kind: str, track: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "pid": _PROCESS, "tid": track, "name": kind, "args": {"name": name}}
