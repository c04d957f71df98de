"""A mask while it is painted: strokes as they are drawn, undone and done again. No window, no OpenGL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from glfft.apps.spectrum.peaks import Peak, notch
from glfft.apps.spectrum.strokes import Point, Stroke, full_mask, paint

_ALL_ROWS = ((0, 1 << 30),)


@dataclass(frozen=True)
class _Change:
    """What one step changed: indices into the flat mask, and the values before and after."""

    where: np.ndarray
    before: np.ndarray
    after: np.ndarray
    is_mark: bool


class Sketch:
    """A mask [rows, columns], FFT order, that strokes change one after another.

    Attributes:
        mask: float32, 1 where all is kept; see `glfft.apps.spectrum.strokes`.
        pen: what strokes are drawn with; its points do not count.
        marked: how many peaks `mark` has painted last.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self.mask = full_mask(shape)
        self.pen = Stroke("brush", ((0.0, 0.0),), radius=6.0)
        self.marked = 0
        self._done: list[_Change] = []
        self._undone: list[_Change] = []
        self._before: np.ndarray | None = None
        self._last: Point = (0.0, 0.0)
        self._rows: list[tuple[int, int]] = list(_ALL_ROWS)

    @property
    def is_drawing(self) -> bool:
        """Whether a stroke has begun and not ended."""
        return self._before is not None

    @property
    def is_blank(self) -> bool:
        """Whether the mask keeps everything."""
        return not self._done and not self.is_drawing and bool(np.all(self.mask == 1))

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._done)

    def begin(self, point: Point) -> None:
        """Put the pen down, at a frequency (down, across) in cycles a picture."""
        self.end()
        self._before = self.mask.copy()
        self._draw((point,))

    def extend(self, point: Point) -> None:
        """Move the pen: a brush goes on, the other tools follow it."""
        if self._before is None or point == self._last:
            return
        if self.pen.tool == "brush":
            self._draw((self._last, point))
        else:
            np.copyto(self.mask, self._before)
            self._rows = list(_ALL_ROWS)
            self._draw((point,))

    def end(self, is_mark: bool = False) -> None:
        """Lift the pen: the stroke becomes a step that can be undone."""
        if self._before is None:
            return
        before, after = self._before.ravel(), self.mask.ravel()
        where = np.flatnonzero(before != after).astype(np.uint32)  # half the memory; more pixels are never read
        self._before = None
        if where.size:
            self._done.append(_Change(where, before[where], after[where], is_mark))
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
            self._before = self.mask.copy()
            paint(self.mask, replace(notch(peaks, radius), softness=self.pen.softness, strength=self.pen.strength))
            self._rows = list(_ALL_ROWS)
            self.end(is_mark=True)
            self.marked = len(peaks)

    def undo(self) -> None:
        """Take the last step back."""
        self.end()
        if self._done:
            change = self._done.pop()
            self._undone.append(change)
            self._set(change.where, change.before)

    def redo(self) -> None:
        """Do again what was undone last."""
        self.end()
        if self._undone:
            change = self._undone.pop()
            self._done.append(change)
            self._set(change.where, change.after)

    def reset(self) -> None:
        """Keep everything again, as a step that can be undone."""
        self.replace(full_mask((self.mask.shape[0], self.mask.shape[1])))

    def replace(self, mask: np.ndarray) -> None:
        """Take another mask of the same shape, as a step that can be undone."""
        self.end()
        self._before = self.mask.copy()
        np.copyto(self.mask, mask)
        self._rows = list(_ALL_ROWS)
        self.end()

    def changed_rows(self) -> list[tuple[int, int]]:
        """The rows [first, end) that may have changed since the last call."""
        rows = self.mask.shape[0]
        changed = [(max(0, first), min(rows, end)) for first, end in self._rows]
        self._rows = []
        return [(first, end) for first, end in changed if first < end]

    def _draw(self, points: tuple[Point, ...]) -> None:
        stroke = replace(self.pen, points=points)
        paint(self.mask, stroke)
        self._last = points[-1]
        if stroke.tool in ("brush", "notch"):
            self._note(min(point[0] for point in points), max(point[0] for point in points))
        else:
            self._rows = list(_ALL_ROWS)

    def _note(self, first: float, last: float) -> None:
        """Note the rows within the pen's radius of two frequencies, and their opposites."""
        rows, radius = self.mask.shape[0], self.pen.radius
        low, high = int(np.floor(first - radius)), int(np.ceil(last + radius)) + 1
        for start, end in ((low, high), (1 - high, 1 - low)):
            if end - start >= rows:
                self._rows = list(_ALL_ROWS)
                return
            start, end = start % rows, (end - 1) % rows + 1
            self._rows += [(start, end)] if start < end else [(start, rows), (0, end)]

    def _set(self, where: np.ndarray, values: np.ndarray) -> None:
        self.mask.ravel()[where] = values
        self.marked = 0
        self._rows = list(_ALL_ROWS)
