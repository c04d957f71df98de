"""Who waits for whom: whether the GPU or the CPU sets the pace of a program's frames."""

import math
from collections.abc import Iterable
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from glfft.profiling.trace import Alignment, Frame

GPU_BOUND, CPU_BOUND, EVEN, SOFTWARE = "GPU-bound", "CPU-bound", "even", "software renderer"

# Of the time from one frame's start to the next one's.
_BUSY = 0.9
_BEHIND = 0.1


class Balance(NamedTuple):
    """How much of the time between frames GPU and CPU are busy, and what follows from it.

    Attributes:
        bound: "GPU-bound" where the GPU is busy for at least 0.9 of the time and "CPU-bound" where the CPU is. Where
            both are, the GPU either falls behind by 0.1 of the time or more, and sets the pace, or waits for commands.
            "even" where neither is, as when both wait for the display. "software renderer": there is no GPU. "": too
            few frames are known.
        gpu: share that the GPU takes from a frame's first command to its last, at most 1; NaN where unknown.
        cpu: share that the calling thread spends outside waits, as processor time; NaN where unknown.
    """

    bound: str
    gpu: float = math.nan
    cpu: float = math.nan


def balance_of(frames: Iterable[Frame], alignment: Alignment) -> Balance:
    """The balance of consecutive frames: medians."""
    shares = [
        _shares(before, after, alignment) for before, after in pairwise(frames) if after.number == before.number + 1
    ]
    if not shares:
        return Balance("")
    gpu, cpu, behind = (median(column) for column in zip(*shares, strict=True))
    if gpu >= _BUSY and (cpu < _BUSY or behind >= _BEHIND):
        return Balance(GPU_BOUND, gpu, cpu)
    return Balance(CPU_BOUND if cpu >= _BUSY else EVEN, gpu, cpu)


def _shares(before: Frame, after: Frame, alignment: Alignment) -> tuple[float, float, float]:
    """Of the time from a frame's start to the next one's: where the GPU and the CPU are busy, and how long after the
    CPU the GPU ends the frame.
    """
    first, second = before.timings[-1], after.timings[-1]  # the sections that end last are the frames
    start, end = first.submitted, second.submitted
    gpu = (first.end - first.start) / max(1, second.start - first.start)
    behind = (alignment.on_cpu(first.end) - first.after) / (end - start)
    waited = sum(
        min(wait.end, end) - max(wait.start, start)
        for wait in (*before.waits, *after.waits)
        if wait.name != "compile" and start < wait.end and wait.start < end
    )
    cpu = min(after.worked, end - start - waited) / (end - start)
    return min(1.0, gpu), max(0.0, cpu), behind
