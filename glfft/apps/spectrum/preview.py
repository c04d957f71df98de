"""The picture that a mask leaves, on the GPU: the spectrum times the mask, transformed back, at full or lower size."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl

from glfft.gl import programs
from glfft.gl.barriers import PIXEL_BUFFER_BARRIER, TEXTURE_FETCH_BARRIER, TEXTURE_UPDATE_BARRIER
from glfft.gl.bindings import FIRST_DRAWING_IMAGE_UNIT, FIRST_DRAWING_TEXTURE_UNIT
from glfft.gl.uniforms import set_uniforms
from glfft.plan import Plan

_GROUP = 16
_MASK_UNIT = FIRST_DRAWING_TEXTURE_UNIT + 1


def preview_size(size: tuple[int, int], longest: int) -> tuple[int, int]:
    """Width and height of a preview: sides over `longest`, a power of two, become that."""
    return min(size[0], longest), min(size[1], longest)


class Preview:
    """Pictures of one size through masks.

    Args:
        ctx: the context to draw with.
        size: width and height of the preview. Each may be less than the spectrum's: the preview then has the low
            frequencies alone, and the picture's fine detail is missing.
        planes: how many spectra a picture has, 1 or 3.

    Attributes:
        picture: rgba8 with mipmaps, after `draw`.
    """

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], planes: int) -> None:
        self._ctx = ctx
        self._size = size
        self._plan = Plan(ctx, (size[1], size[0]))
        self._planes = [ctx.texture(size, 2, dtype="f4") for _ in range(planes)]
        self.picture = ctx.texture(size, 4, dtype="f1")

    def draw(self, spectra: Sequence[moderngl.Texture], mask: moderngl.Texture) -> None:
        """Draw what a mask, r32f, leaves of spectra, rg32f of its size, both in FFT order; `picture` may be sampled."""
        self._multiply(spectra, mask)
        for plane in self._planes:
            self._plan.inverse(plane, plane, next_use="sample")
        self._restore()

    def _multiply(self, spectra: Sequence[moderngl.Texture], mask: moderngl.Texture) -> None:
        units = {"SPECTRUM_UNIT": FIRST_DRAWING_TEXTURE_UNIT, "MASK_UNIT": _MASK_UNIT}
        units["IMAGE_UNIT"] = FIRST_DRAWING_IMAGE_UNIT
        program = programs.compute(self._ctx, "spectrum/masked.comp", units)
        set_uniforms(program, {"size": self._size})
        mask.use(_MASK_UNIT)
        for spectrum, product in zip(spectra, self._planes, strict=True):
            spectrum.use(FIRST_DRAWING_TEXTURE_UNIT)
            product.bind_to_image(FIRST_DRAWING_IMAGE_UNIT, read=False, write=True)
            program.run(-(-self._size[0] // _GROUP), -(-self._size[1] // _GROUP))
        self._ctx.memory_barrier(TEXTURE_FETCH_BARRIER | TEXTURE_UPDATE_BARRIER)

    def _restore(self) -> None:
        values = {"PLANES": len(self._planes), "PLANE_UNIT": FIRST_DRAWING_TEXTURE_UNIT}
        values["IMAGE_UNIT"] = FIRST_DRAWING_IMAGE_UNIT
        program = programs.compute(self._ctx, "spectrum/restored.comp", values)
        for unit, plane in enumerate(self._planes, FIRST_DRAWING_TEXTURE_UNIT):
            plane.use(unit)
        self.picture.bind_to_image(FIRST_DRAWING_IMAGE_UNIT, read=False, write=True)
        program.run(-(-self._size[0] // _GROUP), -(-self._size[1] // _GROUP))
        self._ctx.memory_barrier(TEXTURE_FETCH_BARRIER | TEXTURE_UPDATE_BARRIER | PIXEL_BUFFER_BARRIER)
        make_mipmaps(self.picture)

    def release(self) -> None:
        """Release what lies on the GPU."""
        self._plan.release()
        for texture in (*self._planes, self.picture):
            texture.release()


def make_mipmaps(texture: moderngl.Texture) -> None:
    """Make the mipmaps of a picture, and then set the filter that reads them.

    A texture whose filter asks for mipmaps that it has not is incomplete, and the driver drops what is stored in it.
    """
    texture.build_mipmaps()  # which sets a filter of its own
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.NEAREST)
    texture.repeat_x = texture.repeat_y = False
