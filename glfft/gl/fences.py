"""Fences: whether the GPU has come to a place in its commands (OpenGL 4.3, section 4.1)."""

import moderngl

from glfft.errors import ContextError
from glfft.gl.functions import Functions
from glfft.gl.timed import waiting

_GL_SYNC_GPU_COMMANDS_COMPLETE = 0x9117
_GL_SYNC_FLUSH_COMMANDS_BIT = 1
_GL_TIMEOUT_EXPIRED, _GL_WAIT_FAILED = 0x911B, 0x911D  # answers of glClientWaitSync
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

    def passed(self, fence: int, nanoseconds: int = 0) -> bool:
        """Whether the GPU has done all that came before a fence, or does so in time; commands not sent yet are sent."""
        answer = self._gl.glClientWaitSync(fence, _GL_SYNC_FLUSH_COMMANDS_BIT, nanoseconds)
        if answer == _GL_WAIT_FAILED:
            raise ContextError("OpenGL could not wait for the GPU; the context may have been lost, so open a new one.")
        return answer != _GL_TIMEOUT_EXPIRED

    def wait(self, fence: int) -> None:
        """Wait until the GPU has done all that came before a fence. Raises ContextError where the driver could not."""
        with waiting(self._ctx, "finish"):
            while not self.passed(fence, _NANOSECONDS_A_WAIT):
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
