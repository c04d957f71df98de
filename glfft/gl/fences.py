"""Fences: whether the GPU has come to a place in its commands (OpenGL 4.3, section 4.1); and queries of its clock."""

import ctypes

import moderngl

from glfft.errors import ContextError
from glfft.gl.functions import Functions
from glfft.gl.timed import waiting

_GL_SYNC_GPU_COMMANDS_COMPLETE = 0x9117
_GL_SYNC_FLUSH_COMMANDS_BIT = 1
_GL_TIMEOUT_EXPIRED = 0x911B
_GL_WAIT_FAILED = 0x911D
_GL_TIMEOUT_IGNORED = 0xFFFFFFFFFFFFFFFF
_NANOSECONDS_A_WAIT = 100_000_000  # between two waits Python can see Ctrl-C


class Fences:
    """Makes fences in a context, asks and awaits them. The context must be current for each call."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx, self._gl = ctx, Functions(ctx)
        self._standing: set[int] = set()

    def put(self) -> int:
        """A fence after all commands so far, to `delete` in the end. Raises ContextError where there is none."""
        fence = self._gl.glFenceSync(_GL_SYNC_GPU_COMMANDS_COMPLETE, 0)
        if not fence:
            raise ContextError("OpenGL made no fence; the context may have been lost, so open a new one.")
        self._standing.add(fence)
        return fence

    def passed(self, fence: int) -> bool:
        """Whether the GPU has done all that came before a fence. The commands are sent to it if they have not been."""
        return self._ask(fence, 0)

    def wait(self, fence: int) -> None:
        """Wait until the GPU has done all that came before a fence. Raises ContextError where the driver could not."""
        with waiting(self._ctx, "finish"):
            while not self._ask(fence, _NANOSECONDS_A_WAIT):
                pass

    def follow(self, fence: int) -> None:
        """Have the GPU follow another context's fence, which must have been sent to it (`passed` does so)."""
        self._gl.glWaitSync(fence, 0, _GL_TIMEOUT_IGNORED)

    def delete(self, fence: int) -> None:
        self._standing.remove(fence)
        self._gl.glDeleteSync(fence)

    def release(self) -> None:
        while self._standing:
            self._gl.glDeleteSync(self._standing.pop())

    def _ask(self, fence: int, nanoseconds: int) -> bool:
        answer = self._gl.glClientWaitSync(fence, _GL_SYNC_FLUSH_COMMANDS_BIT, nanoseconds)
        if answer == _GL_WAIT_FAILED:
            raise ContextError("OpenGL could not wait for the GPU; the context may have been lost, so open a new one.")
        return answer != _GL_TIMEOUT_EXPIRED


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
