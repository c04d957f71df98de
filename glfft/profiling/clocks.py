"""The clocks that sections are timed by, and the names of sections for other tools."""

import ctypes
import time

import moderngl

from glfft.gl.fences import Timestamps
from glfft.gl.functions import load_function
from glfft.profiling.trace import ClockSample, sample_clock

GPU_TIMER = "gpu timestamps"
WALL_TIMER = "wall (software renderer)"


class GpuClock(Timestamps):
    """Marks points in the command stream; nobody waits for them."""

    waited = 0
    mark = Timestamps.stamp

    def sample(self) -> ClockSample:
        return sample_clock(self.now)


class WallClock:
    """Marks are wall-clock times, read when all commands so far are done, which `waited` nanoseconds in all."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self.waited = 0

    def mark(self) -> int:
        begin = time.perf_counter_ns()
        self._ctx.finish()
        now = time.perf_counter_ns()
        self.waited += now - begin
        return now

    def sample(self) -> ClockSample:
        now = time.perf_counter_ns()
        return ClockSample(now, now, 0)

    def ready(self, mark: int) -> bool:
        return True

    def take(self, mark: int) -> int:
        return mark

    def release(self) -> None:
        pass


class DebugGroups:
    """Names for RenderDoc and Nsight, by raw calls: moderngl's own debug_scope raises for GL errors that the program
    made earlier, and a profiler must not change how a program fails.
    """

    _SOURCE_APPLICATION = 0x824A
    _LONGEST_NAME = 200  # bytes; drivers allow at least a thousand

    def __init__(self, ctx: moderngl.Context) -> None:
        numbers = ctypes.c_uint, ctypes.c_uint, ctypes.c_int
        self._push = load_function(ctx, "glPushDebugGroup", None, *numbers, ctypes.c_char_p)
        self.pop = load_function(ctx, "glPopDebugGroup", None)

    def push(self, name: str) -> None:
        text = name.encode()[: self._LONGEST_NAME]
        self._push(self._SOURCE_APPLICATION, 0, len(text), text)
