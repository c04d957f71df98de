"""Queries of the GPU's clock."""

import ctypes

import moderngl

from glfft.gl.functions import load_function

_GL_TIMESTAMP = 0x8E28
_GL_QUERY_RESULT = 0x8866
_GL_QUERY_RESULT_AVAILABLE = 0x8867


class Timestamps:
    """A ring of GL_TIMESTAMP queries: stamps go into the command stream, results are polled and never waited for.

    Unlike a TIME_ELAPSED query, pairs of timestamps nest and can be read frames later (OpenGL 4.3 core
    specification, section 4.3).
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        pointer = ctypes.POINTER
        self._generate = load_function(ctx, "glGenQueries", None, ctypes.c_int, pointer(ctypes.c_uint))
        self._delete = load_function(ctx, "glDeleteQueries", None, ctypes.c_int, pointer(ctypes.c_uint))
        self._counter = load_function(ctx, "glQueryCounter", None, ctypes.c_uint, ctypes.c_uint)
        self._get_uint = load_function(
            ctx, "glGetQueryObjectuiv", None, ctypes.c_uint, ctypes.c_uint, pointer(ctypes.c_uint)
        )
        self._get_uint64 = load_function(
            ctx, "glGetQueryObjectui64v", None, ctypes.c_uint, ctypes.c_uint, pointer(ctypes.c_uint64)
        )
        self._get_now = load_function(ctx, "glGetInteger64v", None, ctypes.c_uint, pointer(ctypes.c_int64))
        self._free: list[int] = []
        self._made: list[int] = []

    def stamp(self) -> int:
        """Record the GPU's clock once all earlier commands have finished; returns a handle for `ready` and `take`."""
        if not self._free:
            names = (ctypes.c_uint * 16)()
            self._generate(16, names)
            self._free.extend(names)
            self._made.extend(names)
        query = self._free.pop()
        self._counter(query, _GL_TIMESTAMP)
        return query

    def ready(self, query: int) -> bool:
        """Whether the stamp's value can be taken without waiting."""
        value = ctypes.c_uint(0)
        self._get_uint(query, _GL_QUERY_RESULT_AVAILABLE, ctypes.byref(value))
        return bool(value.value)

    def take(self, query: int) -> int:
        """The stamp in nanoseconds; waits if it is not `ready`, and hands the handle back for reuse."""
        value = ctypes.c_uint64(0)
        self._get_uint64(query, _GL_QUERY_RESULT, ctypes.byref(value))
        self._free.append(query)
        return int(value.value)

    def now(self) -> int:
        """The GPU's clock in nanoseconds, once earlier commands have been sent, whether they are done or not."""
        value = ctypes.c_int64(0)
        self._get_now(_GL_TIMESTAMP, ctypes.byref(value))
        return int(value.value)

    def release(self) -> None:
        """Delete the queries."""
        if self._made:
            self._delete(len(self._made), (ctypes.c_uint * len(self._made))(*self._made))
        self._made.clear()
        self._free.clear()
