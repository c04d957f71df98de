"""Buffers of many megabytes: making them, and reading them where they stay in the GPU's memory."""

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.errors import require, whole_number
from glfft.gl.cuda import is_nvidias
from glfft.gl.functions import Functions, check_errors, clear_errors
from glfft.gl.releasable import released_after, released_on_error

# An NVIDIA H200 copies between plain buffers of over 512 MB together at 2.15 TB/s, between sparse ones at 4.1.
_LARGE = 1 << 27  # bytes
_EXTENSION = "GL_ARB_sparse_buffer"
_GL_ARRAY_BUFFER = 0x8892  # which moderngl binds a new buffer to
_DYNAMIC_STORAGE, _SPARSE_STORAGE = 0x0100, 0x0400  # bits of glBufferStorage


def large_buffer(ctx: moderngl.Context, size: int) -> moderngl.Buffer:
    """A buffer for plans with storage="buffer" that stays fast on NVIDIA's GPUs beyond 512 MB in all.
    From 128 MB on it is a sparse one there, which OpenGL does not let moderngl's `read` and `clear` map: fill it with
    `write`, and read it with `glfft.interop.array_from`.

    Args:
        ctx: the context, which must be current.
        size: in bytes, at least 1.

    Raises OptionError for other sizes, ContextError where there is no memory left.
    """
    require((whole_number(size) or 0) > 0, "size", size, "a whole number above 0")
    clear_errors(ctx)
    buffer = ctx.buffer(reserve=size)
    with released_on_error([buffer]):
        if size >= _LARGE and is_nvidias(ctx) and _EXTENSION in ctx.extensions:
            gl = Functions(ctx)
            gl.glBindBuffer(_GL_ARRAY_BUFFER, buffer.glo)
            gl.glBufferStorage(_GL_ARRAY_BUFFER, size, None, _DYNAMIC_STORAGE | _SPARSE_STORAGE)
            gl.glBufferPageCommitmentARB(_GL_ARRAY_BUFFER, 0, size, True)
        check_errors(ctx, f"making a buffer of {size} bytes")
    return buffer


def read_into(ctx: moderngl.Context, buffer: moderngl.Buffer, numbers: npt.NDArray[np.uint8], size: int) -> None:
    """Copy so many bytes from a buffer's beginning to the host, of a large one on NVIDIA's GPUs through another one."""
    if buffer.size < _LARGE or not is_nvidias(ctx):
        buffer.read_into(numbers, size)
        return
    # OpenGL may not map it, and NVIDIA's driver moves a buffer that was mapped to the host, where it stays slow.
    with released_after(piece := ctx.buffer(reserve=_LARGE)):
        for start in range(0, size, _LARGE):
            count = min(_LARGE, size - start)
            ctx.copy_buffer(piece, buffer, count, read_offset=start)
            piece.read_into(numbers, count, write_offset=start)
