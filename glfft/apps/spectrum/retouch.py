"""A painted mask over a picture's spectrum, and the picture that it leaves: kept up to date while strokes are drawn."""

import time
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
from moderngl import Context, Texture

from glfft import Plan
from glfft.apps.spectrum.sketch import Sketch
from glfft.apps.spectrum.strokes import TOOLS, Stroke
from glfft.gl import barriers, bindings, programs
from glfft.gl.context import is_software
from glfft.gl.programs import set_uniforms
from glfft.gl.releasable import Keeper
from glfft.gl.timed import waiting

_PROMPT = 0.05  # s: where a picture at full size takes longer, it is smaller while a stroke is drawn
_LONGEST = 256  # side of that, pixels, a power of two
_SOFTWARE_PIXEL = 1e-7  # what a pixel of the first preview is expected to take without a GPU, s
_GROUP = 16
_MASK_UNIT = bindings.FIRST_DRAWING_TEXTURE_UNIT + 1


class Retouch(Keeper):
    """A sketch, the mask of a picture with 1 or 3 spectra, on the GPU; `is_painted` if it changes anything."""

    def __init__(self, ctx: Context, sketch: Sketch, planes: int) -> None:
        self._ctx, self._planes = ctx, planes
        self._mask: Texture | None = None
        self._previews: dict[bool, Preview] = {}  # at full size, and rough ones
        self._shows_rough: bool | None = None  # None before the first update
        self.sketch = sketch
        self.is_painted = False
        self._floating: Stroke | None = None
        # What the last update at full size took.
        self._seconds = _SOFTWARE_PIXEL * sketch.mask.size * planes if is_software(ctx) else 0.0

    @property
    def mask(self) -> Texture:
        """The mask, r32f in FFT order. There is one once it is painted."""
        assert self._mask is not None
        return self._mask

    @property
    def picture(self) -> Texture:
        """What the mask leaves, as a picture, perhaps of lower size."""
        return self._previews[bool(self._shows_rough)].picture

    def update(self, spectra: Sequence[Texture]) -> bool:
        """Bring mask and picture up to date for unmasked spectra, rg32f in FFT order; returns whether they changed."""
        blocks = self.sketch.changed_blocks()
        shall_be_rough = self.sketch.is_drawing and self._seconds > _PROMPT
        if not blocks and shall_be_rough == self._shows_rough and self.sketch.floating == self._floating:
            return False
        self._floating = self.sketch.floating
        self.is_painted, self._shows_rough = not self.sketch.is_blank, shall_be_rough
        if self._mask is not None:
            for rows, columns in blocks:
                part = (columns.start, rows.start, columns.stop - columns.start, rows.stop - rows.start)
                self._mask.write(np.ascontiguousarray(self.sketch.mask[rows, columns]), part, alignment=1)
        if self.is_painted:
            self.prepare(spectra)
            self._draw(spectra, shall_be_rough)
        return True

    def prepare(self, spectra: Sequence[Texture]) -> None:
        """Make mask and preview, for which the first point of a stroke would wait."""
        if self._mask is not None:
            return
        self._mask = self._own(self._ctx.texture(spectra[0].size, 1, self.sketch.mask, dtype="f4", alignment=1))
        if self._seconds <= _PROMPT:
            for _ in range(2):  # what the first one takes is no measure
                self._draw(spectra, rough=False)
        if self._seconds > _PROMPT:
            self._draw(spectra, rough=True)

    def _draw(self, spectra: Sequence[Texture], rough: bool) -> None:
        width, height = spectra[0].size
        if rough not in self._previews:
            size = (min(width, _LONGEST), min(height, _LONGEST)) if rough else (width, height)
            self._previews[rough] = self._own(Preview(self._ctx, size, self._planes))
        start = None if rough else self._done_at()
        self._previews[rough].draw(spectra, self.mask, self._floating)
        if start is not None:
            self._seconds = self._done_at() - start

    def _done_at(self) -> float:
        """The time when all that was asked for is done: the CPU would be far ahead of the GPU."""
        with waiting(self._ctx, "finish"):
            self._ctx.finish()
        return time.perf_counter()


class Preview(Keeper):
    """`picture`, rgba8 with mipmaps: what masks leave of 1 or 3 spectra, at full or lower size (low frequencies)."""

    def __init__(self, ctx: Context, size: tuple[int, int], planes: int) -> None:
        self._ctx, self._size = ctx, size
        self._plan = self._own(Plan(ctx, (size[1], size[0]), directions=["inverse"]))
        self._planes = [self._own(ctx.texture(size, 2, dtype="f4")) for _ in range(planes)]
        self.picture = self._own(ctx.texture(size, 4, dtype="f1"))
        image, first = bindings.FIRST_DRAWING_IMAGE_UNIT, bindings.FIRST_DRAWING_TEXTURE_UNIT
        masked = {"IMAGE_UNIT": image, "SPECTRUM_UNIT": first, "MASK_UNIT": _MASK_UNIT}
        self._multiply = programs.compute(ctx, "spectrum/masked.comp", masked)
        restored = {"IMAGE_UNIT": image, "PLANE_UNIT": first, "PLANES": planes}
        self._restore = programs.compute(ctx, "spectrum/restored.comp", restored)

    def draw(self, spectra: Sequence[Texture], mask: Texture, stroke: Stroke | None = None) -> None:
        """Draw what a mask, r32f, with a stroke over it leaves of spectra, rg32f of its size, both in FFT order."""
        groups = [-(-side // _GROUP) for side in self._size]
        set_uniforms(self._multiply, {"size": self._size, **stroke_uniforms(stroke)})
        mask.use(_MASK_UNIT)
        for spectrum, product in zip(spectra, self._planes, strict=True):
            spectrum.use(bindings.FIRST_DRAWING_TEXTURE_UNIT)
            product.bind_to_image(bindings.FIRST_DRAWING_IMAGE_UNIT, read=False, write=True)
            self._multiply.run(*groups)
        self._ctx.memory_barrier(barriers.NEXT_USES["sample"] | barriers.NEXT_USES["read"])
        for plane in self._planes:
            self._plan.inverse(plane, plane, next_use="sample")
        for unit, plane in enumerate(self._planes, bindings.FIRST_DRAWING_TEXTURE_UNIT):
            plane.use(unit)
        self.picture.bind_to_image(bindings.FIRST_DRAWING_IMAGE_UNIT, read=False, write=True)
        self._restore.run(*groups)
        self._ctx.memory_barrier(barriers.NEXT_USES["sample"] | barriers.NEXT_USES["read"])
        make_mipmaps(self.picture)


def stroke_uniforms(stroke: Stroke | None) -> dict[str, Any]:
    """What spectrum/stroke.glsl needs to know of a stroke over a mask, which is no brush."""
    if stroke is None:
        return {"stroke_tool": 0}
    down, across = stroke.points[-1]
    return {
        "stroke_tool": TOOLS.index(stroke.tool),
        "stroke_point": (across, down),
        "stroke_radius": stroke.radius,
        "stroke_hard": stroke.radius * (1 - stroke.softness),
        "stroke_strength": stroke.strength,
        "stroke_restores": int(stroke.restores),
    }


def make_mipmaps(texture: Texture) -> None:
    """Make a picture's mipmaps, and then set the filter that reads them: before, the texture would be incomplete."""
    texture.build_mipmaps()  # which sets a filter of its own
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.NEAREST)
    texture.repeat_x = texture.repeat_y = False
