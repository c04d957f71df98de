"""The clocks that sections are timed by, and the names of sections for other tools."""

import ctypes
import time

import moderngl

from glfft.gl.functions import Functions
from glfft.profiling.trace import ClockSample, sample_clock

GPU_TIMER = "gpu timestamps"
WALL_TIMER = "wall (software renderer)"

_GL_TIMESTAMP = 0x8E28
_GL_QUERY_RESULT = 0x8866
_GL_QUERY_RESULT_AVAILABLE = 0x8867


class GpuClock:
    """A ring of GL_TIMESTAMP queries, polled and never waited for; their pairs nest (OpenGL 4.3, section 4.3)."""

    waited = 0

    def __init__(self, ctx: moderngl.Context) -> None:
        self._gl = Functions(ctx)
        self._free: list[int] = []
        self._made: list[int] = []

    def mark(self) -> int:
        """Record the GPU's clock once all earlier commands have finished; returns a handle for `ready` and `take`."""
        if not self._free:
            names = (ctypes.c_uint * 16)()
            self._gl.glGenQueries(16, names)
            self._free.extend(names)
            self._made.extend(names)
        query = self._free.pop()
        self._gl.glQueryCounter(query, _GL_TIMESTAMP)
        return query

    def ready(self, query: int) -> bool:
        """Whether the stamp's value can be taken without waiting."""
        return bool(self._gl.number("glGetQueryObjectuiv", query, _GL_QUERY_RESULT_AVAILABLE))

    def take(self, query: int) -> int:
        """The stamp in nanoseconds; waits if it is not `ready`, and hands the handle back for reuse."""
        value = self._gl.number("glGetQueryObjectui64v", query, _GL_QUERY_RESULT)
        self._free.append(query)
        return value

    def now(self) -> int:
        """The GPU's clock in nanoseconds, once earlier commands have been sent, whether they are done or not."""
        return self._gl.number("glGetInteger64v", _GL_TIMESTAMP)

    def release(self) -> None:
        if self._made:
            self._gl.glDeleteQueries(len(self._made), (ctypes.c_uint * len(self._made))(*self._made))
        self._made.clear()
        self._free.clear()

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
    """Names for RenderDoc and Nsight; moderngl's debug_scope would raise for GL errors that a program made earlier."""

    _SOURCE_APPLICATION = 0x824A
    _LONGEST_NAME = 200  # bytes; drivers allow at least a thousand

    def __init__(self, ctx: moderngl.Context) -> None:
        gl = Functions(ctx)
        self._push, self.pop = gl.glPushDebugGroup, gl.glPopDebugGroup

    def push(self, name: str) -> None:
        text = name.encode()[: self._LONGEST_NAME]
        self._push(self._SOURCE_APPLICATION, 0, len(text), text)
