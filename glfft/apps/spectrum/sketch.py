"""A mask while it is painted: strokes as they are drawn, undone and done again. No window, no OpenGL."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from glfft.apps.spectrum.peaks import Peak, notch
from glfft.apps.spectrum.strokes import Point, Stroke, full_mask, paint


@dataclass(frozen=True)
class _Change:
    """What one step changed: indices into the flat mask, and the values before it, or after it once it is undone."""

    where: np.ndarray
    values: np.ndarray
    is_mark: bool


class Sketch:
    """A mask [rows, columns], FFT order, that strokes change one after another.

    Attributes:
        mask: float32, 1 where all is kept; see `glfft.apps.spectrum.strokes`. A floating stroke is not in it.
        floating: a stroke that follows the pen, until `end` paints it, which takes long. None for brushes and between
            strokes.
        pen: what strokes are drawn with; its points do not count.
        marked: how many peaks `mark` has painted last.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self.mask = full_mask(shape)
        self.pen = Stroke("brush", ((0.0, 0.0),), radius=6.0)
        self.floating: Stroke | None = None
        self.marked = 0
        self._done: list[_Change] = []
        self._undone: list[_Change] = []
        self._before: np.ndarray | None = None
        self._last: Point = (0.0, 0.0)
        self._changed = np.ones(shape[0], bool)  # by row

    @property
    def is_drawing(self) -> bool:
        """Whether a stroke has begun and not ended."""
        return self._before is not None or self.floating is not None

    @property
    def is_blank(self) -> bool:
        """Whether the mask keeps everything."""
        return not self._done and not self.is_drawing and bool(np.all(self.mask == 1))

    def begin(self, point: Point) -> None:
        """Put the pen down, at a frequency (down, across) in cycles a picture."""
        self.end()
        if self.pen.tool == "brush":
            self._before = self.mask.copy()
        self._draw((point,))

    def extend(self, point: Point) -> None:
        """Move the pen: a brush goes on, the other tools follow it."""
        if self.is_drawing and point != self._last:
            self._draw((point,) if self._before is None else (self._last, point))

    def end(self, is_mark: bool = False) -> None:
        """Lift the pen: the stroke becomes a step that can be undone."""
        if self.floating is not None:
            self._before = self.mask.copy()
            paint(self.mask, self.floating)
            self.floating = None
            self._changed[:] = True
        if self._before is None:
            return
        before, after = self._before.ravel(), self.mask.ravel()
        where = np.flatnonzero(before != after).astype(np.uint32)  # half the memory; more pixels are never read
        self._before = None
        if where.size:
            self._done.append(_Change(where, before[where], is_mark))
            self._undone.clear()
            if not is_mark:
                self.marked = 0

    def mark(self, peaks: Sequence[Peak], radius: float) -> None:
        """Notch peaks in one step, in place of those marked last."""
        self.end()
        if self._done and self._done[-1].is_mark and self.marked:
            self.undo()
        self.marked = 0
        if peaks:
            mask = self.mask.copy()
            paint(mask, replace(notch(peaks, radius), softness=self.pen.softness, strength=self.pen.strength))
            self.replace(mask, is_mark=True)
            self.marked = len(peaks)

    def undo(self) -> None:
        """Take the last step back."""
        self._exchange(self._done, self._undone)

    def redo(self) -> None:
        """Do again what was undone last."""
        self._exchange(self._undone, self._done)

    def reset(self) -> None:
        """Keep everything again, as a step that can be undone."""
        self.replace(full_mask((self.mask.shape[0], self.mask.shape[1])))

    def replace(self, mask: np.ndarray, is_mark: bool = False) -> None:
        """Take another mask of the same shape, as a step that can be undone."""
        self.end()
        self._before = self.mask.copy()
        np.copyto(self.mask, mask)
        self._changed[:] = True
        self.end(is_mark)

    def changed_rows(self) -> list[tuple[int, int]]:
        """The rows [first, end) that may have changed since the last call."""
        edges = np.flatnonzero(np.diff(self._changed, prepend=False, append=False)).tolist()
        self._changed[:] = False
        return list(zip(edges[::2], edges[1::2], strict=True))

    def _draw(self, points: tuple[Point, ...]) -> None:
        self._last = points[-1]
        if self._before is None:
            self.floating = replace(self.pen, points=points)
            return
        stroke = replace(self.pen, tool="brush", points=points)
        paint(self.mask, stroke)
        first, last = min(down for down, _ in points), max(down for down, _ in points)
        near = np.arange(math.floor(first - stroke.radius), math.ceil(last + stroke.radius) + 1)
        rows = self.mask.shape[0]
        self._changed[near % rows] = self._changed[-near % rows] = True

    def _exchange(self, source: list[_Change], target: list[_Change]) -> None:
        """Put back what the last step in one list stored, and store what that replaces in the other."""
        self.end()
        if source:
            change, values = source.pop(), self.mask.ravel()
            target.append(replace(change, values=values[change.where]))
            values[change.where] = change.values
            self.marked = 0
            self._changed[:] = True
