"""The images that a plan works on: textures, texture arrays or buffers of one size and format, made and checked."""

import math
import weakref
from collections.abc import Sequence
from typing import Any

import moderngl

from glfft.algorithms.storage import Storage
from glfft.engine.request import PlanRequest
from glfft.errors import ContextError, TextureError
from glfft.gl.bindings import source_texture_unit
from glfft.gl.context import state_of
from glfft.gl.functions import check_errors
from glfft.gl.textures import Completeness, Texture, base_level, internal_format, is_swizzled

Image = Texture | moderngl.Buffer

# OpenGL's names of the formats moderngl makes for a component count and dtype.
_INTERNAL_FORMATS = {
    (1, "f4"): 0x822E,
    (2, "f4"): 0x8230,
    (4, "f4"): 0x8814,
    (1, "f2"): 0x822D,
    (2, "f2"): 0x822F,
    (4, "f2"): 0x881A,
}


class ImageSpec:
    """The textures or buffers of a plan: all of one size and format. The shape is that of a layer, or of a volume;
    layers are those of a texture array or a buffer, or None for 2-D and 3-D textures.
    """

    def __init__(self, ctx: moderngl.Context, shape: Sequence[int], layers: int | None, storage: Storage) -> None:
        self._ctx = ctx
        self._storage = storage
        self._size, self._axes = size_of(shape, layers)
        self._bytes = math.prod(shape) * (layers or 1) * storage.texel_bytes
        self._kind: type[Any] = moderngl.Texture if layers is None else moderngl.TextureArray
        if len(shape) == 3:
            self._kind = moderngl.Texture3D
        if storage.buffer:
            self._kind = moderngl.Buffer
        self._unit = source_texture_unit(state_of(ctx).limits)
        # Whether each image seen before is swizzled: asked of the driver once, as an answer may take its time.
        self._swizzled: weakref.WeakKeyDictionary[Any, bool] = weakref.WeakKeyDictionary()
        self._completeness = Completeness(ctx, self._unit)

    def make(self) -> Image:
        """A new one, its contents undefined."""
        if self._storage.buffer:
            buffer = self._ctx.buffer(reserve=self._bytes)
            self._check_made(buffer, f"a buffer of {self._bytes} bytes")
            return buffer
        makers = {
            moderngl.Texture: self._ctx.texture,
            moderngl.TextureArray: self._ctx.texture_array,
            moderngl.Texture3D: self._ctx.texture3d,
        }
        made = makers[self._kind](self._size, self._storage.components, dtype=self._storage.dtype)  # pyright: ignore[reportArgumentType]
        self._check_made(made, f"a texture of {'x'.join(map(str, self._size))}")
        made.label = f"glfft scratch {'x'.join(map(str, self._size))}"
        return made

    def _check_made(self, made: Image, what: str) -> None:
        """Fail where the device has no memory left, of which moderngl says nothing."""
        try:
            check_errors(self._ctx, f"making {what}")
        except ContextError:
            made.release()
            raise

    def check(self, given: Any, role: str) -> None:
        """Refuse what a pass could not read or write, which OpenGL would do in silence. Raises TextureError where it
        has another kind, context, size or format than the plan's.
        """
        if not isinstance(given, self._kind):
            raise TextureError(f"The {role} must be a moderngl.{self._kind.__name__}, not {type(given).__name__}.")
        if isinstance(given.mglo, moderngl.InvalidObject):
            what = "buffer" if self._storage.buffer else "texture"
            raise TextureError(f"The {role} {what} has been released; make a new one.")
        if given not in self._swizzled:
            self._look_at(given, role)
        if self._storage.buffer:
            if given.size < self._bytes:
                raise TextureError(f"The {role} buffer has {given.size} bytes and this plan needs {self._bytes}.")
            return
        if role == "target" and not self._completeness.of(given):
            raise TextureError(
                "The target texture's filter asks for mipmaps and it has none, so OpenGL would drop what is stored in "
                "it; call its build_mipmaps() first, or set its filter to (moderngl.LINEAR, moderngl.LINEAR)."
            )

    def _look_at(self, given: Any, role: str) -> None:
        """What cannot change in the life of an image, and its swizzle and first level, which are asked for once."""
        what = "buffer" if self._storage.buffer else "texture"
        if given.ctx is not self._ctx:
            raise TextureError(f"The {role} {what} belongs to another context than the plan; make it in the plan's.")
        if self._storage.buffer:
            self._swizzled[given] = False
            return
        if given.size != self._size:
            raise TextureError(
                f"The {role} texture is {' x '.join(map(str, given.size))} and this plan needs {self._axes} = "
                f"{' x '.join(map(str, self._size))}."
            )
        self._check_format(given, role)
        level = base_level(self._ctx, given, self._unit)
        if level:
            raise TextureError(
                f"The {role} texture begins at its mipmap {level}, and this plan works on the whole "
                "picture; call its build_mipmaps() without base= first."
            )
        self._swizzled[given] = is_swizzled(self._ctx, given, self._unit)

    def is_swizzled(self, image: Any) -> bool:
        """Whether reading an image checked before gives something else than was stored: swizzles are for fetches."""
        return self._swizzled[image]

    def _check_format(self, texture: Any, role: str) -> None:
        storage = self._storage
        samples = getattr(texture, "samples", 0)
        if texture.components != storage.components or texture.dtype != storage.dtype or samples:
            meaning = storage.meaning
            counted = f", {samples} samples" if samples else ""
            kind = f"of real numbers needs {storage.name}:" if storage.real else f"for {storage.name} needs"
            raise TextureError(
                f"The {role} texture has {_components(texture.components)} of dtype '{texture.dtype}'{counted}; a plan "
                f"{kind} {_components(storage.components)} {meaning} of dtype '{storage.dtype}'."
            )
        # One of another format would take no stores and raise no error.
        wanted = _INTERNAL_FORMATS[storage.components, storage.dtype]
        if internal_format(self._ctx, texture, self._unit) != wanted:
            raise TextureError(
                f"The {role} texture has dtype '{storage.dtype}' over an internal format that is not "
                f"{storage.name.upper()}; make it without internal_format=."
            )


def plan_images(ctx: moderngl.Context, request: PlanRequest) -> dict[int, tuple[ImageSpec, ImageSpec]]:
    """What source and target of a plan must be like in each direction; one value where they are alike."""
    ends = {direction: request.ends(direction) for direction in request.directions}
    images = {end: ImageSpec(ctx, end[0], request.layers, end[1]) for each in ends.values() for end in each}
    return {direction: (images[source], images[target]) for direction, (source, target) in ends.items()}


def size_of(shape: Sequence[int], layers: int | None) -> tuple[tuple[int, ...], str]:
    """The size of a texture for a shape, as OpenGL says it, and what its numbers are."""
    size, axes = tuple(shape[::-1]), "width x height" if len(shape) == 2 else "width x height x depth"
    return (size, axes) if layers is None else ((*size, layers), f"{axes} x layers")


def check_size(name: str, value: Any, shape: Sequence[int], layers: int | None) -> None:
    """Refuse a texture for a name of a snippet that has not a spectrum's shape, as a texture array also its layers.
    Raises TextureError.
    """
    wanted, axes = size_of(shape, layers if isinstance(value, moderngl.TextureArray) else None)
    if isinstance(value, Texture) and value.size != wanted:
        raise TextureError(
            f"The texture for '{name}' is {' x '.join(map(str, value.size))} and this plan's spectra are {axes} = "
            f"{' x '.join(map(str, wanted))}."
        )


def _components(count: int) -> str:
    return f"{count} component{'s' if count > 1 else ''}"
