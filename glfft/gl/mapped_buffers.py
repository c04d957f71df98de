"""Buffers that stay mapped: memory that the program and the GPU both see (GL_ARB_buffer_storage, OpenGL 4.4)."""

import ctypes
from dataclasses import dataclass

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.errors import ContextError
from glfft.gl.functions import Functions, check_errors, clear_errors
from glfft.gl.releasable import released_on_error

_GL_COPY_WRITE_BUFFER = 0x8F37
# Bits of glMapBufferRange and glBufferStorage, GL_MAP_..._BIT and the last one GL_CLIENT_STORAGE_BIT.
_READ, _WRITE, _PERSISTENT, _COHERENT, _CLIENT_STORAGE = 0x0001, 0x0002, 0x0040, 0x0080, 0x0200

_EXTENSION = "GL_ARB_buffer_storage"
_CORE_SINCE = 440


@dataclass(frozen=True)
class MappedBuffer:
    """A buffer and its memory as the program sees it."""

    buffer: moderngl.Buffer  # for moderngl. Releasing it unmaps it; nobody may touch `memory` from then on.
    # its bytes. They are coherent: what the program writes is seen by commands given afterwards, and what the GPU has
    # written is seen once a fence behind it has been passed.
    memory: npt.NDArray[np.uint8]


def can_stay_mapped(ctx: moderngl.Context) -> bool:
    return ctx.version_code >= _CORE_SINCE or _EXTENSION in ctx.extensions


def mapped_buffer(ctx: moderngl.Context, size: int, *, reads: bool) -> MappedBuffer:
    """`size` bytes that the program fills and the GPU reads, or the other way round if it `reads`; or ContextError."""
    if not can_stay_mapped(ctx):
        raise ContextError(f"The OpenGL driver has no buffers that stay mapped ({_EXTENSION}).")
    use, place = (_READ, _CLIENT_STORAGE) if reads else (_WRITE, 0)
    gl = Functions(ctx)
    flags = use | _PERSISTENT | _COHERENT
    clear_errors(ctx)
    # moderngl gives it its name and frees it; the storage that it comes with is replaced.
    buffer = ctx.buffer(reserve=size)
    with released_on_error([buffer]):
        gl.glBindBuffer(_GL_COPY_WRITE_BUFFER, buffer.glo)
        gl.glBufferStorage(_GL_COPY_WRITE_BUFFER, size, None, flags | place)
        address = gl.glMapBufferRange(_GL_COPY_WRITE_BUFFER, 0, size, flags)
        gl.glBindBuffer(_GL_COPY_WRITE_BUFFER, 0)
        check_errors(ctx, f"mapping a buffer of {size} bytes")
        if not address:
            raise ContextError(f"The OpenGL driver did not map a buffer of {size} bytes; choose a smaller size.")
    return MappedBuffer(buffer, np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address)))
