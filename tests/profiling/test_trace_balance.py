"""Who sets the pace, from frames whose times are given."""

from __future__ import annotations

import math

import pytest
from support.profiling import busy

from glfft.gl.context import is_software
from glfft.profiling.trace import Alignment, ClockSample, Frame, SectionRun, Wait, balance_of

INTERVAL = 10_000_000
AHEAD = 7 * 10**15  # of the GPU's clock before the CPU's
ALIGNMENT = Alignment(ClockSample(0, AHEAD, 0), ClockSample(10**9, AHEAD + 10**9, 0))


def frames(*, gpu, late, worked, waits=(), count=12):
    """Frames of 10 ms: the GPU begins `late` ms after the CPU and takes `gpu` ms; the thread works for `worked` ms."""
    for number in range(1, count + 1):
        start = number * INTERVAL
        begun = AHEAD + start + round(late * 1e6)
        run = SectionRun((), start, start, start + 10**6, 0, begun, begun + round(gpu * 1e6), start + 1_100_000)
        frame = Frame(number, 10.0, round(worked * 1e6), silent=False, runs=[run])
        frame.waits.extend(Wait(name, start - round(ms * 1e6), start, None) for name, ms in waits)
        yield frame


@pytest.mark.parametrize(
    ("bound", "times"),
    [
        ("GPU-bound", {"gpu": 9.9, "late": 4.0, "worked": 1.5}),
        # A driver that spins while it waits for the GPU, in a swap that nobody told of.
        ("GPU-bound", {"gpu": 9.9, "late": 4.0, "worked": 10.0}),
        # The GPU takes each command as it comes, and is done when the CPU is.
        ("CPU-bound", {"gpu": 9.5, "late": -8.5, "worked": 9.9}),
        ("CPU-bound", {"gpu": 2.0, "late": 0.1, "worked": 9.9}),
        ("even", {"gpu": 5.0, "late": 0.1, "worked": 3.0}),
        # It spins in a swap, to wait for the display.
        ("even", {"gpu": 5.0, "late": 0.1, "worked": 10.0, "waits": [("swap", 6.0)]}),
        # A program's own wait around a wait of glfft.
        ("CPU-bound", {"gpu": 5.0, "late": 0.1, "worked": 9.5, "waits": [("finish", 0.4), ("own", 0.5)]}),
        # To compile is work.
        ("CPU-bound", {"gpu": 5.0, "late": 0.1, "worked": 10.0, "waits": [("compile", 6.0)]}),
    ],
)
def test_who_sets_the_pace(bound, times):
    found = balance_of(frames(**times), ALIGNMENT)
    assert found.bound == bound
    assert found.gpu == pytest.approx(times["gpu"] / 10)
    waited = max((ms for name, ms in times.get("waits", []) if name != "compile"), default=0.0)
    assert found.cpu == pytest.approx(min(times["worked"], 10 - waited) / 10)


def test_only_consecutive_frames_tell():
    found = balance_of([frame for frame in frames(gpu=9.9, late=4.0, worked=1.0) if frame.number % 2], ALIGNMENT)
    assert found.bound == ""
    assert math.isnan(found.gpu)


def test_a_software_renderer_is_called_one(ctx, profiler):
    for _ in range(4):
        with profiler.frame():
            busy(0.001)
    profiler.drain()
    found = profiler.balance()
    assert (found.bound == "software renderer") == is_software(ctx)
    assert is_software(ctx) or 0 <= found.cpu <= 1
