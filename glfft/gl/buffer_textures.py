"""Buffers seen as textures (buffer textures, OpenGL 4.3, 8.9), of which moderngl has none."""

import ctypes
import weakref

import moderngl

from glfft.gl.context import functions_of, state_of
from glfft.gl.releasable import release_all

_GL_TEXTURE0 = 0x84C0
_GL_TEXTURE_BUFFER = 0x8C2A
_GL_WRITE_ONLY = 0x88B9
_FORMATS = {1: 0x822E, 2: 0x8230, 4: 0x8814}  # R32F, RG32F and RGBA32F, by their channels
_GL_RG8I = 0x8237


class BufferTexture:
    """A texture over all of a buffer, whose memory it keeps, with OpenGL's number of a texel's format."""

    def __init__(self, ctx: moderngl.Context, buffer: moderngl.Buffer, texel_format: int) -> None:
        self._gl = gl = functions_of(ctx)
        self.name = gl.number("glGenTextures", 1)
        gl.glBindTexture(_GL_TEXTURE_BUFFER, self.name)
        gl.glTexBuffer(_GL_TEXTURE_BUFFER, texel_format, buffer.glo)

    def release(self) -> None:
        """Free it; releasing twice is harmless."""
        name, self.name = self.name, 0
        self._gl.glDeleteTextures(1, ctypes.byref(ctypes.c_uint(name)))


class BufferTextures:
    """The buffer textures of a context, which must be current, made when first used and kept with their buffers."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx, self._gl = ctx, functions_of(ctx)
        self._of: weakref.WeakKeyDictionary[moderngl.Buffer, dict[int, BufferTexture]] = weakref.WeakKeyDictionary()

    def use(self, buffer: moderngl.Buffer, channels: int, unit: int) -> None:
        """Bind a buffer as a texture to a texture unit; `channels` is float32 numbers a texel: 1, 2 or 4."""
        self._gl.glActiveTexture(_GL_TEXTURE0 + unit)
        self._gl.glBindTexture(_GL_TEXTURE_BUFFER, self._texture(buffer, _FORMATS[channels]).name)

    def use_for_pairs_of_bytes(self, buffer: moderngl.Buffer, unit: int) -> None:
        """Bind a buffer to an image unit to write, with texels of two signed integers of 8 bits (rg8i)."""
        name = self._texture(buffer, _GL_RG8I).name
        self._gl.glBindImageTexture(unit, name, 0, 0, 0, _GL_WRITE_ONLY, _GL_RG8I)

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
                release_all(made.values())
                del self._of[buffer]


def buffer_textures(ctx: moderngl.Context) -> BufferTextures:
    return state_of(ctx).cache("buffer textures", lambda: BufferTextures(ctx))
