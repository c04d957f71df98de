"""A mask while it is painted: strokes as they are drawn, undone and done again. No window, no OpenGL."""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from glfft.apps.spectrum.peaks import Peak, notch
from glfft.apps.spectrum.strokes import Point, Stroke, paint, reached

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
        steps, mask = len(self._done), self.mask.copy()
        if peaks:
            paint(mask, replace(notch(peaks, radius), softness=self.pen.softness, strength=self.pen.strength))
            self.replace(mask)
        self.marked, self._mark_is_step = len(peaks), len(self._done) > steps

    def undo(self) -> None:
        self._exchange(self._done, self._undone)

    def redo(self) -> None:
        self._exchange(self._undone, self._done)

    def reset(self) -> None:
        self.replace(np.ones((self.mask.shape[0], self.mask.shape[1]), np.float32))

    def replace(self, mask: np.ndarray) -> None:
        self.end()
        self._before = {}
        self._touch([(slice(0, length) for length in self.mask.shape)])
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
        begun = len(stroke.points) > 1 and replace(stroke, points=self._painted.points) == self._painted
        self._touch(reached(self.mask.shape, stroke, begun))
        paint(self.mask, stroke, begun)
        self._painted = stroke

    def _touch(self, blocks: Iterable[Iterable[slice]]) -> None:
        """Keep what is in blocks of the mask, which are about to change, for the step being drawn."""
        for block in blocks:
            down, across = (range(part.start // _TILE, -(-part.stop // _TILE)) for part in block)
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
