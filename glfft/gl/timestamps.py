"""Queries of the GPU's clock."""

import ctypes

import moderngl

from glfft.gl.functions import Functions

_GL_TIMESTAMP = 0x8E28
_GL_QUERY_RESULT = 0x8866
_GL_QUERY_RESULT_AVAILABLE = 0x8867


class Timestamps:
    """A ring of GL_TIMESTAMP queries, polled and never waited for; their pairs nest (OpenGL 4.3, section 4.3)."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._gl = Functions(ctx)
        self._free: list[int] = []
        self._made: list[int] = []

    def stamp(self) -> int:
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
        value = ctypes.c_uint(0)
        self._gl.glGetQueryObjectuiv(query, _GL_QUERY_RESULT_AVAILABLE, ctypes.byref(value))
        return bool(value.value)

    def take(self, query: int) -> int:
        """The stamp in nanoseconds; waits if it is not `ready`, and hands the handle back for reuse."""
        value = ctypes.c_uint64(0)
        self._gl.glGetQueryObjectui64v(query, _GL_QUERY_RESULT, ctypes.byref(value))
        self._free.append(query)
        return int(value.value)

    def now(self) -> int:
        """The GPU's clock in nanoseconds, once earlier commands have been sent, whether they are done or not."""
        value = ctypes.c_int64(0)
        self._gl.glGetInteger64v(_GL_TIMESTAMP, ctypes.byref(value))
        return int(value.value)

    def release(self) -> None:
        if self._made:
            self._gl.glDeleteQueries(len(self._made), (ctypes.c_uint * len(self._made))(*self._made))
        self._made.clear()
        self._free.clear()
