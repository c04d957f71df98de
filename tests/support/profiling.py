"""Work for a profiler to measure, and what it measured."""

from __future__ import annotations

import time


def busy(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def drained(profiler):
    """The statistics of every frame so far, those still on their way from a GPU included."""
    profiler.drain()
    return profiler.statistics()
