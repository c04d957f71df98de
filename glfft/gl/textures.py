"""What moderngl cannot tell of a texture or do to it, asked of the driver; and buffers seen as textures."""

import ctypes
import math
import weakref
from collections import defaultdict
from collections.abc import Callable, Container, Mapping
from typing import Any

import moderngl

from glfft.gl.bindings import upload_texture_unit
from glfft.gl.context import functions_of, state_of
from glfft.gl.releasable import release_all

_GL_TEXTURE_WIDTH = 0x1000
_GL_TEXTURE_BASE_LEVEL = 0x813C
_GL_TEXTURE_SWIZZLE_RGBA = 0x8E46
_GL_RGBA_CHANNELS = [0x1903, 0x1904, 0x1905, 0x1906]
_GL_TEXTURE_INTERNAL_FORMAT = 0x1003
_GL_SRGB_FORMATS = {0x8C40, 0x8C41, 0x8C42, 0x8C43}
_GL_TEXTURE_2D = 0x0DE1
_GL_TEXTURE0 = 0x84C0
_GL_TEXTURE_BUFFER = 0x8C2A
_GL_READ_ONLY, _GL_WRITE_ONLY = 0x88B8, 0x88B9
_FORMATS = {1: 0x822E, 2: 0x8230, 4: 0x8814}  # R32F, RG32F and RGBA32F, by their channels
_GL_RG8I = 0x8237
_GL_UNPACK_LAYOUT = (0x0CF0, 0x0CF2, 0x0CF3, 0x0CF4, 0x806D, 0x806E)  # swapped bytes, row length, skips, image height
_GL_ALIGNMENTS = (0x0CF5, 0x0D05)  # which moderngl sets, for reading too
# What textures are bound as.
_TARGETS = {moderngl.Texture: _GL_TEXTURE_2D, moderngl.TextureArray: 0x8C1A, moderngl.Texture3D: 0x806F}

Texture = moderngl.Texture | moderngl.TextureArray | moderngl.Texture3D

UNMIPMAPPED_FILTERS = {moderngl.NEAREST, moderngl.LINEAR}


class Completeness:
    """Whether textures have the mipmaps their filters ask for (OpenGL 4.3, 8.17); asked on `unit` until they do."""

    def __init__(self, ctx: moderngl.Context, unit: int) -> None:
        self._ctx, self._unit = ctx, unit
        self._found: defaultdict[Any, weakref.WeakSet[Any]] = defaultdict(weakref.WeakSet)

    def of(self, texture: Any) -> bool:
        """Whether a texture is complete; where not, fetches find zeros in it and stores are dropped."""
        # The question of every run first: nearly all filters need no mipmaps.
        if texture.filter[0] in UNMIPMAPPED_FILTERS:
            return True
        has_size = isinstance(texture, Texture) and not getattr(texture, "samples", 0)
        sides = texture.size if isinstance(texture, moderngl.Texture3D) else texture.size[:2]
        return not has_size or max(sides) == 1 or self._is(texture, has_mipmaps, {False})

    def begins_at_first(self, texture: Any) -> bool:
        """Whether shaders take a texture's first level for its first; where not, stores are dropped."""
        if texture.filter[0] not in UNMIPMAPPED_FILTERS:
            self._found[base_level].discard(texture)  # asked anew, as `build_mipmaps` sets it and the filter
        return self._is(texture, base_level, range(1, 1001))

    def takes_stores(self, texture: Any) -> bool:
        """Whether shaders can store into a texture of floats; stores into one that is sRGB are dropped."""
        # No other format has bytes and is sRGB.
        return texture.dtype != "f1" or self._is(texture, internal_format, _GL_SRGB_FORMATS)

    def _is(self, texture: Any, ask: Callable[..., int], wrong: Container[int]) -> bool:
        if texture not in self._found[ask] and ask(self._ctx, texture, self._unit) not in wrong:
            self._found[ask].add(texture)
        return texture in self._found[ask]


def internal_format(ctx: moderngl.Context, texture: Texture, unit: int) -> int:
    """The format the driver keeps a texture in, which moderngl cannot tell; the texture stays bound to `unit`."""
    return _number(ctx, texture, unit, "glGetTexLevelParameteriv", 0, _GL_TEXTURE_INTERNAL_FORMAT)


def has_mipmaps(ctx: moderngl.Context, texture: Texture, unit: int) -> bool:
    """Whether a texture has a level below its first; the texture stays bound to `unit`."""
    return _number(ctx, texture, unit, "glGetTexLevelParameteriv", 1, _GL_TEXTURE_WIDTH) > 0


def bytes_of(*textures: Texture) -> int:
    """Bytes of textures, without mipmaps; a dtype's last character is the bytes of a number: "f2", "nu1"."""
    return sum(math.prod(each.size) * each.components * int(each.dtype[-1]) for each in textures)


def use_texture(texture: Any, unit: int) -> None:
    """Bind a texture to a unit without a sampler: one left there may ask for mipmaps, and fetches find zeros then."""
    texture.use(unit)
    functions_of(texture.ctx).glBindSampler(unit, 0)


def use_depths(texture: Any, unit: int) -> None:
    """Bind a depth texture with a sampler that does not compare: as moderngl makes it, a sampler2D reads 0 or 1."""
    own = {name: getattr(texture, name) for name in ("filter", "repeat_x", "repeat_y") if hasattr(texture, name)}
    texture.use(unit)
    state_of(texture.ctx).cache(f"sampler of {own}", lambda: texture.ctx.sampler(**own)).use(unit)


def use_textures(textures: Mapping[str, moderngl.Texture | moderngl.TextureArray], first: int) -> dict[str, int]:
    """Bind textures to texture units from a first one on; the units by name."""
    units = {name: unit for unit, name in enumerate(textures, first)}
    for name, texture in textures.items():
        use_texture(texture, units[name])
    return units


def allocate_mipmaps(ctx: moderngl.Context, texture: moderngl.Texture | moderngl.TextureArray) -> None:
    """Give a texture, on the upload unit, all its mipmaps, for shaders to fill. moderngl's `build_mipmaps` fills them,
    for which llvmpipe compiles a shader in each process, 0.1 s a format.
    """
    kept = internal_format(ctx, texture, upload_texture_unit(state_of(ctx).limits))
    store = getattr(functions_of(ctx), f"glTexStorage{len(texture.size)}D")
    store(_target(texture), max(texture.size[:2]).bit_length(), kept, *texture.size)


def copy_to_level(ctx: moderngl.Context, source: moderngl.Texture, texture: moderngl.Texture, level: int) -> None:
    """Copy a texture to a level of another one, of the same format and as large."""
    copy = functions_of(ctx).glCopyImageSubData
    from_first, to_level = (0, 0, 0, 0), (level, 0, 0, 0)
    copy(source.glo, _GL_TEXTURE_2D, *from_first, texture.glo, _GL_TEXTURE_2D, *to_level, *source.size, 1)


def fill(ctx: moderngl.Context, texture: Any, buffer: Any) -> None:
    """Copy a buffer's numbers into a texture, whatever its owner has set for copies of another layout."""
    gl = functions_of(ctx)
    before = {name: gl.integer(name) for name in (*_GL_UNPACK_LAYOUT, *_GL_ALIGNMENTS)}
    try:
        for name in _GL_UNPACK_LAYOUT:
            gl.glPixelStorei(name, 0)
        texture.write(buffer)
    finally:
        for name, value in before.items():
            gl.glPixelStorei(name, value)


def is_swizzled(ctx: moderngl.Context, texture: Texture, unit: int) -> bool:
    """Whether fetches from a texture give its channels in another order; the texture stays bound to `unit`."""
    channels = (ctypes.c_int * 4)()
    texture.use(unit)
    functions_of(ctx).glGetTexParameteriv(_target(texture), _GL_TEXTURE_SWIZZLE_RGBA, channels)
    return list(channels) != _GL_RGBA_CHANNELS


def base_level(ctx: moderngl.Context, texture: Texture, unit: int) -> int:
    """The level of a texture that fetches take for its first; the texture stays bound to `unit`."""
    return _number(ctx, texture, unit, "glGetTexParameteriv", _GL_TEXTURE_BASE_LEVEL)


def _number(ctx: moderngl.Context, texture: Texture, unit: int, function: str, *arguments: int) -> int:
    texture.use(unit)
    return functions_of(ctx).number(function, _target(texture), *arguments)


def _target(texture: Texture) -> int:
    return _TARGETS.get(type(texture), _GL_TEXTURE_2D)


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

    def use_as_image(self, buffer: moderngl.Buffer, channels: int, unit: int) -> None:
        """Bind a buffer to an image unit to read, with texels as in `use`."""
        texels = _FORMATS[channels]
        self._gl.glBindImageTexture(unit, self._texture(buffer, texels).name, 0, 0, 0, _GL_READ_ONLY, texels)

    def use_for_pairs_of_bytes(self, buffer: moderngl.Buffer, unit: int) -> None:
        """Bind a buffer to an image unit to write, with texels of two signed integers of 8 bits (rg8i)."""
        self._gl.glBindImageTexture(unit, self._texture(buffer, _GL_RG8I).name, 0, 0, 0, _GL_WRITE_ONLY, _GL_RG8I)

    def _texture(self, buffer: moderngl.Buffer, texel_format: int) -> BufferTexture:
        made = self._of.get(buffer)
        if made is None:
            state_of(self._ctx).release_dropped()
            for each, textures in list(self._of.items()):
                # Its owner has released it and still holds it.
                if isinstance(each.mglo, moderngl.InvalidObject):
                    release_all(textures.values())
                    del self._of[each]
            made = self._of[buffer] = {}
        if texel_format not in made:
            made[texel_format] = BufferTexture(self._ctx, buffer, texel_format)
            # A collector may run on any thread, where nothing can be freed.
            weakref.finalize(buffer, state_of(self._ctx).dropped.append, made[texel_format]).atexit = False
        return made[texel_format]


def buffer_textures(ctx: moderngl.Context) -> BufferTextures:
    return state_of(ctx).cache("buffer textures", lambda: BufferTextures(ctx))
