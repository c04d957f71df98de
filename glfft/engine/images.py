"""A plan's textures and buffers, made and checked; arrays in their place, copied to and from images kept for them."""

import math
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import moderngl

from glfft.algorithms.storage import Storage
from glfft.engine.request import PlanRequest
from glfft.errors import TextureError, size_text
from glfft.gl.bindings import source_texture_unit
from glfft.gl.context import state_of
from glfft.gl.cuda import cuda_of
from glfft.gl.functions import check_errors
from glfft.gl.interop.copies import SharedBuffer, copy_to_array, copy_to_image, look_at
from glfft.gl.interop.views import Array, Forms, View, is_array
from glfft.gl.large_buffers import large_buffer
from glfft.gl.releasable import released_on_error
from glfft.gl.textures import UNMIPMAPPED_FILTERS, Completeness, Texture, base_level, internal_format, is_swizzled

Image = Texture | moderngl.Buffer


class ImageSpec:
    """The textures or buffers of a plan: a shape of a layer, layers or None for 2-D and 3-D textures, a format."""

    def __init__(self, ctx: moderngl.Context, shape: Sequence[int], layers: int | None, storage: Storage) -> None:
        self._ctx, self._storage = ctx, storage
        self._size, self._axes = size_of(shape, layers)
        self._bytes = math.prod(shape) * (layers or 1) * storage.texel_bytes
        texture = moderngl.Texture3D if len(shape) == 3 else moderngl.Texture
        texture = texture if layers is None else moderngl.TextureArray
        self._kind: type[Any] = moderngl.Buffer if storage.buffer else texture
        self._what = "buffer" if storage.buffer else "texture"
        self._unit = source_texture_unit(state_of(ctx).limits)
        # Whether each image seen before is swizzled: asked of the driver once, as an answer may take its time.
        self._swizzled: weakref.WeakKeyDictionary[Any, bool] = weakref.WeakKeyDictionary()
        self._completeness = Completeness(ctx, self._unit)

    def make(self) -> Image:
        """A new one, its contents undefined. Raises ContextError where the device has no memory left."""
        ctx, sides = self._ctx, "x".join(map(str, self._size))
        if self._storage.buffer:
            return large_buffer(ctx, self._bytes)
        makers: dict[type[Any], Any] = {moderngl.Texture: ctx.texture, moderngl.TextureArray: ctx.texture_array}
        make = makers.get(self._kind, ctx.texture3d)
        made = make(self._size, self._storage.components, dtype=self._storage.dtype)
        made.label = f"glfft scratch {sides}"
        with released_on_error([made]):
            check_errors(ctx, f"making a texture of {sides}")  # of which moderngl says nothing
        return made

    def check(self, given: Any, role: str) -> None:
        """Raise TextureError for another kind, context, size or format than the plan's, which fail in silence."""
        if not isinstance(given, self._kind):
            what = type(given).__name__
            if given is None:
                option, calls = ("load", "read_source") if role == "source" else ("store", "write_target")
                what = f"None, unless a snippet in {option}= does without {calls}"
            elif self._kind is moderngl.Texture and isinstance(given, moderngl.TextureArray):
                what += "; use layers="
            raise TextureError(f"The {role} must be a moderngl.{self._kind.__name__}, not {what}.")
        if isinstance(given.mglo, moderngl.InvalidObject):
            raise TextureError(f"The {role} {self._what} has been released; make a new one.")
        if given not in self._swizzled:
            self._look_at(given, role)
        if self._storage.buffer:
            if given.size < self._bytes:
                raise TextureError(f"The {role} buffer has {given.size} bytes and this plan needs {self._bytes}.")
            return
        if given.filter[0] not in UNMIPMAPPED_FILTERS and not self._completeness.begins_at_first(given):
            del self._swizzled[given]  # not known any more: it is refused too once its filter is set back
            self._look_at(given, role)
        if role == "target" and not self._completeness.of(given):
            why = "The target texture's filter asks for mipmaps and it has none, so OpenGL would drop what is stored"
            raise TextureError(f"{why}; call its build_mipmaps() first, or set another filter.")

    def _look_at(self, given: Any, role: str) -> None:
        """What cannot change in the life of an image, and its swizzle and first level, which are asked for once."""
        if given.ctx is not self._ctx:
            raise TextureError(f"The {role} {self._what} belongs to another context than the plan; make it in that.")
        if self._storage.buffer:
            self._swizzled[given] = False
            return
        size = tuple(given.size)  # moderngl keeps a list if it was given one
        if size != self._size:
            hint = "; a plan's shape is (rows, columns)" if len(size) == 2 and size == self._size[::-1] else ""
            if (size[0] // 2 + 1, *size[1:]) == self._size:
                hint = "; with real=True a spectrum has columns // 2 + 1 of the picture's columns"
            needed = f"{self._axes} = {size_text(self._size)}{hint}"
            raise TextureError(f"The {role} texture is {size_text(size)} and this plan needs {needed}.")
        storage, samples = self._storage, getattr(given, "samples", 0)
        if given.components != storage.components or given.dtype != storage.dtype or samples:
            counted = f", {samples} samples" if samples else ""
            kind = f"of real numbers needs {storage.name}:" if storage.real else f"for {storage.name} needs"
            other = "a load snippet (load=) reads" if role == "source" else "a store snippet (store=) writes"
            have = f"{_components(given.components)} of dtype '{given.dtype}'{counted}"
            needed = f"{_components(storage.components)} {storage.meaning} of dtype '{storage.dtype}'"
            raise TextureError(f"The {role} texture has {have}; a plan {kind} {needed}; {other} others.")
        # One of another format would take no stores and raise no error.
        if internal_format(self._ctx, given, self._unit) != storage.number.formats[storage.components]:
            name = storage.name.upper()
            raise TextureError(f"The internal format of the {role} is not {name}; make it without internal_format=.")
        level = base_level(self._ctx, given, self._unit)
        if level:
            raise TextureError(f"The {role} begins at its mipmap {level}; call build_mipmaps() without base= first.")
        self._swizzled[given] = is_swizzled(self._ctx, given, self._unit)

    def is_swizzled(self, image: Any) -> bool:
        """Whether reading an image checked before gives something else than was stored: swizzles are for fetches."""
        return self._swizzled[image]


Ends = tuple[ImageSpec, ImageSpec]  # what source and target must be like
PlanImages = Mapping[int, Ends]  # by direction


def plan_images(ctx: moderngl.Context, request: PlanRequest) -> PlanImages:
    """What source and target of a plan must be like; one value where they are alike."""
    ends = {direction: request.ends(direction) for direction in request.directions}
    images = {end: ImageSpec(ctx, end[0], request.layers, end[1]) for each in ends.values() for end in each}
    return {direction: (images[source], images[target]) for direction, (source, target) in ends.items()}


def size_of(shape: Sequence[int], layers: int | None) -> tuple[tuple[int, ...], str]:
    """The size of a texture for a shape, as OpenGL says it, and what its numbers are."""
    size, axes = tuple(shape[::-1]), "width x height" if len(shape) == 2 else "width x height x depth"
    return (size, axes) if layers is None else ((*size, layers), f"{axes} x layers")


def check_spectrum_size(name: str, value: Any, shape: Sequence[int], layers: int | None) -> None:
    """Raise TextureError where a snippet's texture has not a spectrum's shape, and a texture array its layers."""
    wanted, axes = size_of(shape, layers if isinstance(value, moderngl.TextureArray) else None)
    if isinstance(value, Texture) and tuple(value.size) != wanted:  # moderngl keeps a list if it was given one
        have, want = size_text(value.size), size_text(wanted)
        raise TextureError(f"The texture for '{name}' is {have} and this plan's spectra are {axes} = {want}.")


def _components(count: int) -> str:
    return f"{count} component{'s' if count > 1 else ''}"


class ArrayEnds:
    """The images of a plan's arrays, made when first needed; what the plan must free is added to `owned`."""

    def __init__(self, ctx: moderngl.Context, request: PlanRequest, images: PlanImages, owned: list[Any]) -> None:
        self._ctx, self._request, self._images, self._owned = ctx, request, images, owned
        # What arrays are like, the image in their place and, where CUDA shares it, its buffer: then one copy is enough.
        self._ends: dict[tuple[ImageSpec, int], tuple[Forms, Image, SharedBuffer | None]] = {}

    @contextmanager
    def as_images(self, direction: int, src: Any, dst: Any) -> Iterator[tuple[Any, Any]]:
        """Images in the place of arrays, for a run in a direction; the source is copied before, the target after it.
        Raises DataError where an array does not suit the plan, ContextError without memory, or where CUDA fails.
        """
        target, view, shared = dst, None, None
        if is_array(dst):
            forms, target, shared = self._end(direction, 1)
            view = self._view_of(dst, forms, writes=True)
        if is_array(src):
            forms, source, own = self._end(direction, 0)
            copy_to_image(self._ctx, src, self._view_of(src, forms, writes=False), source, own)
            src = source
        if view is not None and shared is not None:
            shared.lend(view.stream)  # OpenGL, which writes it, waits for the copy of the run before
        yield src, target
        if view is not None:
            copy_to_array(self._ctx, target, dst, view, shared)

    def _view_of(self, array: Array, forms: Forms, *, writes: bool) -> View:
        seen = look_at(self._ctx, array, writes=writes)
        forms.check(seen.dtype, seen.shape, "the plan")
        return seen

    def _end(self, direction: int, role: int) -> tuple[Forms, Image, SharedBuffer | None]:
        spec = self._images[direction][role]
        if (spec, role) not in self._ends:
            shape, storage = self._request.ends(direction)[role]
            layers = () if self._request.layers is None else (self._request.layers,)
            forms, cuda = Forms((*layers, *shape), storage.components, storage.dtype), cuda_of(self._ctx)
            own = SharedBuffer(self._ctx, cuda, forms.size) if storage.buffer and cuda is not None else None
            image = spec.make() if own is None else own.buffer
            self._owned.append(own or image)
            self._ends[spec, role] = forms, image, own
        return self._ends[spec, role]
