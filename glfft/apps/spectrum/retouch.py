"""A painted mask over a picture's spectrum, and the picture that it leaves: kept up to date while strokes are drawn."""

from __future__ import annotations

import time
from collections.abc import Sequence

import moderngl
import numpy as np

from glfft.apps.spectrum.preview import Preview, preview_size
from glfft.apps.spectrum.sketch import Sketch

# While a stroke is drawn the picture follows. Where it takes longer than this at full size, s, its sides are of at most
# _LONGEST pixels until the stroke ends.
_PROMPT = 0.05
_LONGEST = 256


class Retouch:
    """A sketch on the GPU.

    Args:
        ctx: the context to draw with.
        sketch: the mask.
        planes: how many spectra the picture has, 1 or 3.

    Attributes:
        is_painted: whether the mask changes anything, since `update`.
        seconds: how long the last update at full size took; 0 before the first.
    """

    def __init__(self, ctx: moderngl.Context, sketch: Sketch, planes: int) -> None:
        self._ctx = ctx
        self._planes = planes
        self._mask: moderngl.Texture | None = None
        self._full: Preview | None = None
        self._rough: Preview | None = None
        self._shows_rough = False
        self._is_stale = True
        self._mask_is_old = True
        self.sketch = sketch
        self.is_painted = False
        self.seconds = 0.0

    @property
    def mask(self) -> moderngl.Texture:
        """The mask, r32f in FFT order. There is one once it is painted."""
        assert self._mask is not None
        return self._mask

    @property
    def picture(self) -> moderngl.Texture:
        """What the mask leaves, as a picture, perhaps of lower size."""
        preview = self._rough if self._shows_rough else self._full
        assert preview is not None
        return preview.picture

    def update(self, spectra: Sequence[moderngl.Texture]) -> bool:
        """Bring picture and mask up to date with the sketch; returns whether they changed.

        Args:
            spectra: of the picture without the mask, rg32f in FFT order.
        """
        rows = self.sketch.changed_rows()
        shall_be_rough = self.sketch.is_drawing and self.seconds > _PROMPT
        if not rows and not self._is_stale and shall_be_rough == self._shows_rough:
            return False
        self.is_painted = not self.sketch.is_blank
        self._is_stale, self._shows_rough = False, shall_be_rough
        if not self.is_painted:
            self._mask_is_old = True
            return True
        size = spectra[0].size
        mask = self._upload(rows, size)
        if self._full is None:
            self._full = Preview(self._ctx, size, self._planes)
        if shall_be_rough:
            self._rough = self._rough or Preview(self._ctx, preview_size(size, _LONGEST), self._planes)
            self._rough.draw(spectra, mask)
            return True
        # Known by when it is done: the CPU would be far ahead of the GPU.
        self._ctx.finish()
        start = time.perf_counter()
        self._full.draw(spectra, mask)
        self._ctx.finish()
        self.seconds = time.perf_counter() - start
        return True

    def release(self) -> None:
        """Release what lies on the GPU; the sketch stays."""
        for resource in (self._mask, self._full, self._rough):
            if resource is not None:
                resource.release()
        self._mask = self._full = self._rough = None

    def _upload(self, rows: Sequence[tuple[int, int]], size: tuple[int, int]) -> moderngl.Texture:
        mask = self.sketch.mask
        if self._mask is None:
            self._mask = self._ctx.texture(size, 1, dtype="f4", alignment=1)
            self._mask_is_old = True
        for first, end in [(0, size[1])] if self._mask_is_old else rows:
            part = np.ascontiguousarray(mask[first:end], np.float32)
            self._mask.write(part.tobytes(), viewport=(0, first, size[0], end - first), alignment=1)
        self._mask_is_old = False
        return self._mask
