"""A mask over a picture's spectrum while it is painted, and the picture that it leaves, kept up to date on the GPU."""

import itertools
import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from moderngl import LINEAR_MIPMAP_LINEAR, NEAREST, Context, Texture

from glfft import Plan
from glfft.apps.spectrum.screens import Peak
from glfft.apps.spectrum.strokes import TOOLS, Point, Stroke, paint
from glfft.gl import barriers, bindings, programs
from glfft.gl.context import is_software
from glfft.gl.releasable import Keeper
from glfft.gl.timed import waiting

_PROMPT = 0.05  # s: where a picture at full size takes longer, it is smaller while a stroke is drawn
_LONGEST = 256  # side of that, pixels, a power of two
_SOFTWARE_PIXEL = 1e-7  # what a pixel of the first preview is expected to take without a GPU, s
_GROUP = 16
MASK_UNIT = bindings.FIRST_DRAWING_TEXTURE_UNIT + 1

_TILE = 64  # the mask is kept, compared and sent to the GPU in tiles of so many rows and columns
# A brush goes on when the pen has moved by this share of its radius: a mouse may report a thousand places a second.
_PACE = 1 / 32
Tile = tuple[int, int]  # its place among the tiles (down, across)
Step = dict[Tile, np.ndarray]  # tiles as they were before a step, or after it once it is undone


class Sketch:
    """A mask [rows, columns], FFT order, that strokes change one after another."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.mask = np.ones(shape, np.float32)  # see `glfft.apps.spectrum.strokes`; without a floating stroke
        self.pen = Stroke("brush", ((0.0, 0.0),), radius=6.0)  # what strokes are drawn with; its points do not count
        self.floating: Stroke | None = None  # follows the pen until `end` paints it, which takes long; no brush
        self.marked = 0  # how many peaks `mark` has painted, if that was the last step
        self._mark_is_step = False  # whether they changed anything
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._before: Step | None = None  # what the step being drawn has touched
        self._last: Point = (0.0, 0.0)
        self._painted = self.pen  # the last stroke, or piece of one
        self._waiting: Point | None = None  # where the pen is, if no brush went there
        self._changed = np.ones((-(-shape[0] // _TILE), -(-shape[1] // _TILE)), bool)  # by tile

    @property
    def is_drawing(self) -> bool:
        return self._before is not None or self.floating is not None

    @property
    def is_blank(self) -> bool:
        return not self._done and not self.is_drawing

    def begin(self, point: Point) -> None:
        """Put the pen down, at a frequency (down, across) in cycles a picture."""
        self.end()
        if self.pen.tool == "brush":
            self._before = {}
        self._draw((point,))

    def extend(self, point: Point) -> None:
        """Move the pen: a brush goes on, the other tools follow it."""
        if not self.is_drawing or point == self._last:
            return
        if self._before is None:
            self._draw((point,))
        elif math.dist(point, self._last) < _PACE * self.pen.radius:
            self._waiting = point
        else:
            self._draw((self._last, point))

    def end(self) -> None:
        """Lift the pen: the stroke becomes a step that can be undone."""
        if self.floating is not None:
            self._before = {}
            self._paint(self.floating)
            self.floating = None
        elif self._waiting is not None:
            self._draw((self._last, self._waiting))
        if self._before is None:
            return
        tiles = {tile: before for tile, before in self._before.items() if not np.array_equal(before, self._part(tile))}
        self._before = None
        if tiles:
            self._done.append(tiles)
            self._undone.clear()
            self.marked = 0

    def mark(self, peaks: Sequence[Peak], radius: float) -> None:
        """Notch peaks in one step, in place of those marked last."""
        self.end()
        if self.marked and self._mark_is_step:
            self.undo()
        steps = len(self._done)
        if peaks:
            self._before = {}
            self._paint(Stroke("notch", tuple(peak.point for peak in peaks), radius, self.pen.softness))
            self.end()
        self.marked, self._mark_is_step = len(peaks), len(self._done) > steps

    def undo(self) -> None:
        self._exchange(self._done, self._undone)

    def redo(self) -> None:
        self._exchange(self._undone, self._done)

    def reset(self) -> None:
        self.replace(np.ones_like(self.mask))

    def replace(self, mask: np.ndarray) -> None:
        self.end()
        self._before = {}
        self._touch(*(slice(0, length) for length in self.mask.shape))
        np.copyto(self.mask, mask)
        self.end()

    def changed_blocks(self) -> list[tuple[slice, slice]]:
        """Rows and columns of the blocks of the mask that may have changed since the last call."""
        rows, columns = self.mask.shape
        blocks = []
        for down in np.flatnonzero(self._changed.any(axis=1)).tolist():
            edges = (np.flatnonzero(np.diff(self._changed[down], prepend=False, append=False)) * _TILE).tolist()
            for first, end in zip(edges[::2], edges[1::2], strict=True):
                blocks.append((slice(down * _TILE, min((down + 1) * _TILE, rows)), slice(first, min(end, columns))))
        self._changed[:] = False
        return blocks

    def _draw(self, points: tuple[Point, ...]) -> None:
        self._last = points[-1]
        if self._before is None:
            self.floating = replace(self.pen, points=points)
            return
        self._waiting = None
        self._paint(replace(self.pen, tool="brush", points=points))

    def _paint(self, stroke: Stroke) -> None:
        # Whether the brush that was here already is the same.
        is_piece = stroke.tool == "brush" and len(stroke.points) > 1
        begun = is_piece and replace(stroke, points=self._painted.points) == self._painted
        paint(self.mask, stroke, begun, self._touch)
        self._painted = stroke

    def _touch(self, rows: slice, columns: slice) -> None:
        """Keep what is in a block of the mask, which is about to change, for the step being drawn."""
        down, across = (range(part.start // _TILE, -(-part.stop // _TILE)) for part in (rows, columns))
        self._changed[down.start : down.stop, across.start : across.stop] = True
        for tile in itertools.product(down, across):
            if self._before is not None and tile not in self._before:
                self._before[tile] = self._part(tile).copy()

    def _part(self, tile: Tile) -> np.ndarray:
        down, across = tile
        return self.mask[down * _TILE : (down + 1) * _TILE, across * _TILE : (across + 1) * _TILE]

    def _exchange(self, source: list[Step], target: list[Step]) -> None:
        """Put back what the last step in one list stored, and store what that replaces in the other."""
        self.end()
        if source:
            tiles = source.pop()
            target.append({tile: self._part(tile).copy() for tile in tiles})
            for tile, values in tiles.items():
                self._part(tile)[:] = values
                self._changed[tile] = True
            self.marked = 0


class Retouch(Keeper):
    """A sketch, the mask of a picture with 1 or 3 spectra, on the GPU; `is_painted` if it changes anything."""

    mask: Texture  # r32f in FFT order; there is one once it is painted
    picture: Texture  # what the mask leaves, perhaps of lower size; there once the mask is

    def __init__(self, ctx: Context, sketch: Sketch, planes: int) -> None:
        self._ctx, self._planes = ctx, planes
        self._previews: dict[bool, Preview] = {}  # at full size, and rough ones
        self._shown: tuple[bool, Stroke | None] | None = None  # whether the last update was rough, and its stroke
        self.sketch, self.is_painted = sketch, False
        # What the last update at full size took.
        self._seconds = _SOFTWARE_PIXEL * sketch.mask.size * planes if is_software(ctx) else 0.0

    def update(self, spectra: Sequence[Texture]) -> bool:
        """Bring mask and picture up to date for unmasked spectra, rg32f in FFT order; returns whether they changed."""
        blocks = self.sketch.changed_blocks()
        before, self._shown = self._shown, (self.sketch.is_drawing and self._seconds > _PROMPT, self.sketch.floating)
        if not blocks and self._shown == before:
            return False
        self.is_painted = not self.sketch.is_blank
        if self._previews:
            for rows, columns in blocks:
                part = (columns.start, rows.start, columns.stop - columns.start, rows.stop - rows.start)
                self.mask.write(np.ascontiguousarray(self.sketch.mask[rows, columns]), part, alignment=1)
        if self.is_painted:
            self.prepare(spectra)
            self._draw(spectra, rough=self._shown[0])
        return True

    def prepare(self, spectra: Sequence[Texture]) -> None:
        """Make mask and preview, for which the first point of a stroke would wait."""
        if self._previews:
            return
        self.mask = self._own(self._ctx.texture(spectra[0].size, 1, self.sketch.mask, dtype="f4", alignment=1))
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
        self._previews[rough].draw(spectra, self.mask, self.sketch.floating)
        self.picture = self._previews[rough].picture
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
        masked = {"IMAGE_UNIT": image, "SPECTRUM_UNIT": first, "MASK_UNIT": MASK_UNIT}
        self._multiply = programs.compute(ctx, "spectrum/masked.comp", masked)
        restored = {"IMAGE_UNIT": image, "PLANE_UNIT": first, "PLANES": planes}
        self._restore = programs.compute(ctx, "spectrum/restored.comp", restored)

    def draw(self, spectra: Sequence[Texture], mask: Texture, stroke: Stroke | None = None) -> None:
        """Draw what a mask, r32f, with a stroke over it leaves of spectra, rg32f of its size, both in FFT order."""
        programs.set_uniforms(self._multiply, {"size": self._size, **stroke_uniforms(stroke)})
        mask.use(MASK_UNIT)
        for spectrum, product in zip(spectra, self._planes, strict=True):
            spectrum.use(bindings.FIRST_DRAWING_TEXTURE_UNIT)
            product.bind_to_image(bindings.FIRST_DRAWING_IMAGE_UNIT, read=False, write=True)
            programs.run_over(self._multiply, _GROUP, *self._size)
        self._ctx.memory_barrier(barriers.NEXT_USES["sample"] | barriers.NEXT_USES["read"])
        for plane in self._planes:
            self._plan.inverse(plane, plane, next_use="sample")
        for unit, plane in enumerate(self._planes, bindings.FIRST_DRAWING_TEXTURE_UNIT):
            plane.use(unit)
        self.picture.bind_to_image(bindings.FIRST_DRAWING_IMAGE_UNIT, read=False, write=True)
        programs.run_over(self._restore, _GROUP, *self._size)
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
    }


def make_mipmaps(texture: Texture) -> None:
    """Make a picture's mipmaps, and then set the filter that reads them: before, the texture would be incomplete."""
    texture.build_mipmaps()  # which sets a filter of its own
    texture.filter = (LINEAR_MIPMAP_LINEAR, NEAREST)
    texture.repeat_x = texture.repeat_y = False
