"""Arrays as the source or target of a plan: copied to and from images that the plan keeps for them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import moderngl

from glfft.algorithms.storage import Storage
from glfft.engine.images import Image, ImageSpec
from glfft.engine.request import PlanRequest
from glfft.gl.cuda import cuda_of
from glfft.gl.interop.copies import SharedBuffer, copy_to_array, copy_to_image, look_at
from glfft.gl.interop.views import Array as Array
from glfft.gl.interop.views import Forms, View
from glfft.gl.interop.views import is_array as is_array


class _End:
    """One end of a plan's runs in one direction."""

    def __init__(self, ctx: moderngl.Context, shape: Sequence[int], storage: Storage, spec: ImageSpec) -> None:
        self._ctx, self._forms = ctx, Forms(tuple(shape), storage.components, storage.dtype)
        cuda = cuda_of(ctx)
        # Of an image that is a buffer which CUDA shares no other copy is needed.
        self.own = SharedBuffer(ctx, cuda, self._forms.size) if storage.buffer and cuda is not None else None
        self.image = spec.make() if self.own is None else self.own.buffer

    def view_of(self, array: Array, *, writes: bool) -> View:
        seen = look_at(self._ctx, array, writes=writes)
        self._forms.check(seen.dtype, seen.shape, "the plan")
        return seen

    def fill(self, array: Array) -> Image:
        copy_to_image(self._ctx, array, self.view_of(array, writes=False), self.image, self.own)
        return self.image

    def lend(self, stream: int) -> None:
        """Let OpenGL write the image, which waits for the copy of the run before."""
        if self.own is not None:
            self.own.lend(stream)

    def pour(self, array: Array, seen: View) -> None:
        copy_to_array(self._ctx, self.image, array, seen, self.own)


class ArrayEnds:
    """The images of a plan's arrays, made when first needed; what the plan must free is added to `owned`."""

    def __init__(
        self,
        ctx: moderngl.Context,
        request: PlanRequest,
        images: dict[int, tuple[ImageSpec, ImageSpec]],
        owned: list[Any],
    ) -> None:
        self._ctx, self._request, self._images, self._owned = ctx, request, images, owned
        self._ends: dict[tuple[ImageSpec, int], _End] = {}

    @contextmanager
    def as_images(self, direction: int, src: Any, dst: Any) -> Iterator[tuple[Any, Any]]:
        """Images in the place of arrays, for a run in a direction; the source is copied before, the target after it.
        Raises DataError where an array does not suit the plan, ContextError where there is no memory left, or CUDA
        fails.
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
            self._ends[spec, role] = made = _End(self._ctx, base, storage, spec)
            self._owned.append(made.own or made.image)
        return self._ends[spec, role]
