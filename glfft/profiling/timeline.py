"""Section times of the last frames, kept in a ring, and their statistics."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glfft.errors import OptionError
from glfft.profiling.trace import Frame

Path = tuple[str, ...]  # the name of a section after those of its parents, outermost first; () is the whole frame
Times = NDArray[np.float64]

NS_PER_MS = 1e6
_PERCENTILES = (50.0, 95.0, 99.0)


@dataclass(frozen=True)
class Timeline:
    """The recorded frames, oldest first; every array has one entry a frame, in milliseconds.

    Attributes:
        numbers: int64, the frames' numbers; if numbers are missing, those frames were not recorded.
        since_previous: from the previous frame's start to this one's; NaN if there was no previous frame.
        warm_up: bool, whether statistics leave the frame out.
        time: for each section, its time by the profiler's `timer`; NaN if the section did not run. Parents come before
            their children, and siblings in the order of their first run; () is the whole frame.
        cpu: for each section, the time of the calling thread.
    """

    numbers: NDArray[np.int64]
    since_previous: Times
    warm_up: NDArray[np.bool_]
    time: dict[Path, Times]
    cpu: dict[Path, Times]


@dataclass(frozen=True)
class Summary:
    """Statistics of one quantity over the recorded frames, in milliseconds; NaN if nothing was recorded. Percentiles
    interpolate linearly between neighbouring values (numpy's default).
    """

    last: float
    mean: float
    p50: float
    p95: float
    p99: float
    max: float


@dataclass(frozen=True)
class SectionStatistics:
    """Statistics of one section.

    Attributes:
        path: its name after those of its parents.
        frames: in how many frames it ran.
        time: by the profiler's timer.
        cpu: time of the calling thread.
        moved: bytes that it must read and write in a frame, if it is a pass of a plan or has only passes in it, else 0.
    """

    path: Path
    frames: int
    time: Summary
    cpu: Summary
    moved: int = 0

    @property
    def name(self) -> str:
        """The section's own name."""
        return self.path[-1] if self.path else "frame"

    @property
    def depth(self) -> int:
        """How deep it is nested: 0 for the frame and for sections directly inside it."""
        return max(0, len(self.path) - 1)

    @property
    def bytes_a_second(self) -> float:
        """The bytes moved over the median time; NaN where one of the two is unknown."""
        return 1e3 * self.moved / self.time.p50 if self.moved and self.time.p50 > 0 else math.nan


@dataclass(frozen=True)
class Statistics:
    """What a profiler measured.

    Attributes:
        timer: the clock of `time`: "gpu timestamps" or "wall (software renderer)".
        device: the renderer's name.
        frames: how many frames were recorded.
        warm_up: how many of them are left out of everything else, as long as there are others: those in which a section
            ran for the first time, or glfft compiled a program.
        dropped: frames left out because too many were waiting for their results.
        since_previous: from one frame's start to the next one's: what the user sees, vertical sync included.
        frame: the whole frame.
        sections: parents before children, in the order of their first run.
    """

    timer: str
    device: str
    frames: int
    warm_up: int
    dropped: int
    since_previous: Summary
    frame: SectionStatistics
    sections: tuple[SectionStatistics, ...]

    def section(self, name: str) -> SectionStatistics:
        """A section's statistics, a nested one's by "outer/inner". Raises OptionError where it was not recorded."""
        named = {"/".join(section.path): section for section in self.sections}
        if name not in named:
            raise OptionError(f"No section '{name}' was recorded; there are: {', '.join(named) or 'none'}.")
        return named[name]


class Recorder:
    """A ring of the last `capacity` frames, kept as one table of numbers, so that a few array calls read it."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.count = 0  # frames recorded, also those that were overwritten
        self._rows: dict[Path, int] = {(): 0}
        # [clock (0 time, 1 cpu), row, column]; then for each frame its number and the time since the one before.
        self._table = np.full((2, 1, self._capacity), np.nan)
        self._numbers = np.zeros(self._capacity, np.int64)
        self._since_previous = np.full(self._capacity, np.nan)
        self._warm_up = np.zeros(self._capacity, bool)
        self._moved: dict[Path, int] = {}  # in the last frame with the section

    def record(self, frame: Frame, warm_up: bool) -> None:
        """Add a frame whose results have arrived. If the ring is full, it replaces the oldest one."""
        times: dict[Path, tuple[float, float]] = {}
        moved: dict[Path, int] = {}
        for run in frame.runs:
            if run.path not in self._rows:
                self._rows[run.path] = len(self._rows)
                self._table = np.concatenate((self._table, np.full((2, 1, self._capacity), np.nan)), axis=1)
            time, cpu = times.get(run.path, (0.0, 0.0))
            times[run.path] = time + (run.end - run.start) / NS_PER_MS, cpu + run.cpu / NS_PER_MS
            moved[run.path] = moved.get(run.path, 0) + run.moved
        self._moved.update(moved)
        column = self.count % self._capacity
        self.count += 1
        self._numbers[column] = frame.number
        self._warm_up[column] = warm_up
        self._since_previous[column] = math.nan if frame.since_previous is None else frame.since_previous
        self._table[:, :, column] = math.nan
        for path, both in times.items():
            self._table[:, self._rows[path], column] = both
        if column == self._capacity - 1:
            self._forget_absent_sections()

    def timeline(self, depth: int | None = None, last: int | None = None) -> Timeline:
        """Copies of the last recorded frames, oldest first; sections nested deeper than `depth` are left out."""
        window = self._window(last)
        paths = [path for path in self._paths() if depth is None or len(path) <= depth]
        time, cpu = self._table[:, [self._rows[path] for path in paths]][:, :, window]
        times, of_cpu = (dict(zip(paths, each, strict=True)) for each in (time, cpu))
        return Timeline(self._numbers[window], self._since_previous[window], self._warm_up[window], times, of_cpu)

    def statistics(self, *, timer: str, device: str, dropped: int) -> Statistics:
        """Statistics over the recorded frames; the arguments are copied into the result."""
        window = self._window()
        time, cpu = self._table[:, :, window]
        rows = np.concatenate((self._since_previous[window][None], time, cpu))
        others = np.where(warm_up := self._warm_up[window], np.nan, rows)
        others[0, 1:][warm_up[:-1]] = np.nan  # how long such a frame took is the time to the next one's start
        nothing_else = np.isnan(others).all(axis=1, keepdims=True)
        since_previous, *summaries = summarise(np.where(nothing_else, rows, others))
        ran = np.count_nonzero(~np.isnan(time), axis=1).tolist()
        sections, moved = [], self._moved_by_all()
        for path in self._paths():
            row = self._rows[path]
            both = summaries[row], summaries[len(ran) + row]
            sections.append(SectionStatistics(path, ran[row], *both, moved.get(path, 0)))
        counts = min(self.count, self._capacity), int(warm_up.sum()), dropped
        ran_ever = tuple(section for section in sections[1:] if section.frames)
        return Statistics(timer, device, *counts, since_previous, sections[0], ran_ever)

    def _moved_by_all(self) -> dict[Path, int]:
        """Bytes by section: its own, or else the sum over the sections in it, if each of them moves some."""
        moved = dict(self._moved)
        for path in sorted(self._rows, key=len, reverse=True)[:-1]:
            inner = [moved.get(other, 0) for other in self._rows if other[:-1] == path and other]
            if not moved.get(path) and all(inner):
                moved[path] = sum(inner)
        return moved

    def _window(self, last: int | None = None) -> NDArray[np.intp]:
        """The columns of the last frames, oldest first."""
        kept = min(self.count, self._capacity if last is None else min(last, self._capacity))
        return np.arange(self.count - kept, self.count) % self._capacity

    def _paths(self) -> list[Path]:
        # Sections are recorded when they end, children first, but parents are listed first.
        return sorted(self._rows, key=lambda path: [self._rows[path[:end]] for end in range(1, len(path) + 1)])

    def _forget_absent_sections(self) -> None:
        # Once each time the ring is full: a program may use ever new names, which must not fill the memory.
        absent = np.isnan(self._table[0]).all(axis=1)
        absent[0] = False
        if absent.any():
            left = [path for path, row in self._rows.items() if not absent[row]]
            self._rows = {path: row for row, path in enumerate(left)}
            self._table = self._table[:, ~absent]
            self._moved = {path: moved for path, moved in self._moved.items() if path in self._rows}


def summarise(table: Times) -> list[Summary]:
    """One Summary for each row of `table` [rows, frames], oldest frame first; NaNs are left out.

    One sort of all rows, which puts NaNs last, takes tens of microseconds, and numpy's nanpercentile milliseconds.
    """
    rows = np.arange(len(table))
    if table.shape[1] == 0:
        return [Summary(*([math.nan] * 6)) for _ in rows]
    valid = ~np.isnan(table)
    counts = valid.sum(axis=1)
    top = np.maximum(counts - 1, 0)
    ranked = np.sort(table, axis=1)
    columns = [table[rows, table.shape[1] - 1 - np.argmax(valid[:, ::-1], axis=1)]]
    columns.append(np.where(valid, table, 0.0).sum(axis=1) / np.maximum(counts, 1))
    for percentile in _PERCENTILES:
        position = percentile / 100 * top
        below = position.astype(np.intp)
        low, high = ranked[rows, below], ranked[rows, np.minimum(below + 1, top)]
        columns.append(low + (high - low) * (position - below))
    columns.append(ranked[rows, top])
    values = np.stack(columns, axis=1)
    values[counts == 0] = np.nan
    return [Summary(*row) for row in values.tolist()]
