"""Buffers seen as textures (buffer textures, OpenGL 4.3, 8.9), of which moderngl has none."""

import ctypes
import weakref

import moderngl

from glfft.gl.context import state_of
from glfft.gl.functions import load_function

_GL_TEXTURE0 = 0x84C0
_GL_TEXTURE_BUFFER = 0x8C2A
_GL_WRITE_ONLY = 0x88B9
# R32F, RG32F and RGBA32F, by their channels.
_FORMATS = {1: 0x822E, 2: 0x8230, 4: 0x8814}
_GL_RG8I = 0x8237


class BufferTexture:
    """A texture over all of a buffer, with OpenGL's number of what a texel is. As long as it exists, so does the memory
    of the buffer. The context must be current.
    """

    def __init__(self, ctx: moderngl.Context, buffer: moderngl.Buffer, texel_format: int) -> None:
        unsigned, names = ctypes.c_uint, ctypes.POINTER(ctypes.c_uint)
        self._delete = load_function(ctx, "glDeleteTextures", None, ctypes.c_int, names)
        bind = load_function(ctx, "glBindTexture", None, unsigned, unsigned)
        attach = load_function(ctx, "glTexBuffer", None, unsigned, unsigned, unsigned)
        name = ctypes.c_uint()
        load_function(ctx, "glGenTextures", None, ctypes.c_int, names)(1, ctypes.byref(name))
        self.name = name.value
        bind(_GL_TEXTURE_BUFFER, self.name)
        attach(_GL_TEXTURE_BUFFER, texel_format, buffer.glo)

    def release(self) -> None:
        """Free it; releasing twice is harmless."""
        name, self.name = self.name, 0
        self._delete(1, ctypes.byref(ctypes.c_uint(name)))


class BufferTextures:
    """The buffer textures of a context, each made when it is first used and kept as long as its buffer. The context
    must be current for each call.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._activate = load_function(ctx, "glActiveTexture", None, ctypes.c_uint)
        unsigned, signed = ctypes.c_uint, ctypes.c_int
        self._bind = load_function(ctx, "glBindTexture", None, unsigned, unsigned)
        images = (unsigned, unsigned, signed, ctypes.c_ubyte, signed, unsigned, unsigned)
        self._bind_image = load_function(ctx, "glBindImageTexture", None, *images)
        self._of: weakref.WeakKeyDictionary[moderngl.Buffer, dict[int, BufferTexture]] = weakref.WeakKeyDictionary()

    def use(self, buffer: moderngl.Buffer, channels: int, unit: int) -> None:
        """Bind a buffer as a texture to a texture unit; `channels` is float32 numbers a texel: 1, 2 or 4."""
        self._activate(_GL_TEXTURE0 + unit)
        self._bind(_GL_TEXTURE_BUFFER, self._texture(buffer, _FORMATS[channels]).name)

    def use_for_pairs_of_bytes(self, buffer: moderngl.Buffer, unit: int) -> None:
        """Bind a buffer to an image unit to write, with texels of two signed integers of 8 bits (rg8i)."""
        name = self._texture(buffer, _GL_RG8I).name
        self._bind_image(unit, name, 0, 0, 0, _GL_WRITE_ONLY, _GL_RG8I)

    def _texture(self, buffer: moderngl.Buffer, texel_format: int) -> BufferTexture:
        made = self._of.get(buffer)
        if made is None:
            self._release_unused()
            made = self._of[buffer] = {}
        if texel_format not in made:
            made[texel_format] = BufferTexture(self._ctx, buffer, texel_format)
            # A collector may run on any thread, where nothing can be freed.
            weakref.finalize(buffer, state_of(self._ctx).dropped.append, made[texel_format]).atexit = False
        return made[texel_format]

    def _release_unused(self) -> None:
        """Free those of buffers that are gone, or that their owner has released and still holds."""
        state_of(self._ctx).release_dropped()
        for buffer, made in list(self._of.items()):
            if isinstance(buffer.mglo, moderngl.InvalidObject):
                for texture in made.values():
                    texture.release()
                del self._of[buffer]


def buffer_textures(ctx: moderngl.Context) -> BufferTextures:
    """Those of a context."""
    return state_of(ctx).cache("buffer textures", lambda: BufferTextures(ctx))
