"""Arrays as the source or target of a plan: copied to and from images that the plan keeps for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import moderngl

from glfft.engine.images import Image, ImageSpec
from glfft.engine.request import PlanRequest
from glfft.gl.cuda import cuda_of
from glfft.gl.interop.copies import SharedBuffer, copy_to_array, copy_to_image, look_at
from glfft.gl.interop.forms import Forms
from glfft.gl.interop.views import Array as Array
from glfft.gl.interop.views import View
from glfft.gl.interop.views import is_array as is_array


@dataclass(frozen=True)
class _End:
    """One end of a plan's runs in one direction."""

    ctx: moderngl.Context
    forms: Forms
    image: Image
    own: SharedBuffer | None  # the image's, if it is a buffer that CUDA shares: no other copy is needed

    def view_of(self, array: Array, *, writes: bool) -> View:
        seen = look_at(self.ctx, array, writes=writes)
        self.forms.check(seen.dtype, seen.shape, "the plan")
        return seen

    def fill(self, array: Array) -> Image:
        copy_to_image(self.ctx, array, self.view_of(array, writes=False), self.image, self.own)
        return self.image

    def lend(self, stream: int) -> None:
        """Let OpenGL write the image, which waits for the copy of the run before."""
        if self.own is not None:
            self.own.lend(stream)

    def pour(self, array: Array, seen: View) -> None:
        copy_to_array(self.ctx, self.image, array, seen, self.own)


class ArrayEnds:
    """The images of a plan's arrays, made when they are first needed.

    Args:
        ctx: the plan's context.
        request: what it was asked for.
        images: what source and target must be like in each direction.
        owned: what the plan frees.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        request: PlanRequest,
        images: dict[int, tuple[ImageSpec, ImageSpec]],
        owned: list[Any],
    ) -> None:
        self._ctx = ctx
        self._request = request
        self._images = images
        self._owned = owned
        self._ends: dict[tuple[ImageSpec, int], _End] = {}

    @contextmanager
    def as_images(self, direction: int, src: Any, dst: Any) -> Iterator[tuple[Any, Any]]:
        """Images in the place of arrays, for a run of the plan in a direction; others stay as they are. The source is
        copied before, the target after it.

        Raises:
            DataError: an array does not suit the plan, or cannot be read or written.
            ContextError: there is no memory left, or CUDA fails.
        """
        target = self._end(direction, 1) if is_array(dst) else None
        seen = None if target is None else target.view_of(dst, writes=True)
        source = self._end(direction, 0).fill(src) if is_array(src) else src
        if target is not None and seen is not None:
            target.lend(seen.stream)
        yield source, dst if target is None else target.image
        if target is not None and seen is not None:
            target.pour(dst, seen)

    def _end(self, direction: int, role: int) -> _End:
        spec = self._images[direction][role]
        if (spec, role) not in self._ends:
            shape, storage = self._request.ends(direction)[role]
            base = shape if self._request.layers is None else (self._request.layers, *shape)
            forms = Forms(tuple(base), storage.components, storage.dtype)
            cuda = cuda_of(self._ctx)
            own = SharedBuffer(self._ctx, cuda, forms.size) if storage.buffer and cuda is not None else None
            image = spec.make() if own is None else own.buffer
            self._owned.append(own or image)
            self._ends[spec, role] = _End(self._ctx, forms, image, own)
        return self._ends[spec, role]
