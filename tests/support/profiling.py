"""Work for a profiler to measure, and what it measured."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from glfft.profiling.trace import Frame, SectionRun


def busy(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def drained(profiler):
    """The statistics of every frame so far, those still on their way from a GPU included."""
    profiler.drain()
    return profiler.statistics()


class FrameSample(Frame):
    """A frame to record, whose sections are given in milliseconds."""

    def __init__(self, number: int, since_previous: float | None) -> None:
        super().__init__(number, since_previous, worked=0, silent=False)

    def add(self, path: tuple[str, ...], time: Any, cpu: Any, moved: int = 0) -> None:
        """Add one run of a section."""
        self.runs.append(SectionRun(path, 0, 0, 0, cpu * 1e6, 0, time * 1e6, 0, moved))


class Recorder:
    """Takes the place of a profiler.

    Attributes:
        seen: bytes moved by each section, by its path, in the order of their starts.
    """

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}
        self._open: list[str] = []

    @contextmanager
    def section(self, name: str, /, moved: int = 0) -> Iterator[None]:
        self._open.append(name)
        path = self.path
        self.seen[path] = self.seen.get(path, 0) + moved
        yield
        self._open.pop()

    @property
    def path(self) -> str:
        """The sections that are open."""
        return "/".join(self._open)
