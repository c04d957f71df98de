"""Strokes over a spectrum: which share of each frequency stays. Each is mirrored, so that pictures stay real.

A mask is float32 [rows, columns] in FFT order, from 0 (removed) to 1 (kept). A real picture has F(-k) = conj F(k), and
keeps it where mask(-k) = mask(k) (Bracewell, The Fourier Transform and Its Applications, chapter 2).
"""

import itertools
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from glfft.apps.spectrum.strips import map_strips
from glfft.errors import OptionError

TOOLS = ("brush", "notch", "ring", "wedge", "band")

Point = tuple[float, float]

# So many rows at once stay in a processor's caches: of a whole spectrum, and as wide as a large brush.
_WIDE_ROWS, _BRUSH_ROWS = 16, 64
# From so many blocks on, threads are worth their start.
_BRUSH_RUNS = 12


@dataclass(frozen=True)
class Stroke:
    """One stroke. Frequencies are in cycles a picture: (down, across), negative ones upwards and to the left.

    Raises OptionError where a value is none of those named.
    """

    # brush: all within `radius` of the path through the points. notch: discs at the points. The others go by the last
    # point. ring: its distance from the zero frequency, give or take `radius`. wedge: its direction from there and the
    # opposite one, `radius` to each side at its distance, from it outwards. band: a strip from it outwards, `radius`
    # to each side. Distances of ring, wedge and band are in cycles along the longer side, for they mean the same number
    # of cycles a pixel in each direction.
    tool: str
    points: tuple[Point, ...]
    radius: float = 3.0  # cycles a picture, over 0
    softness: float = 0.5  # the share of the radius over which the edge fades, as a cosine: 0 is hard, 1 all of it
    strength: float = 1.0  # how much goes (or comes back) in the middle: 1 is all
    restores: bool = False  # brings back what other strokes removed

    def __post_init__(self) -> None:
        if self.tool not in TOOLS:
            raise OptionError(f"There is no tool named {self.tool!r}; choose one of {', '.join(TOOLS)}.")
        numbers = [self.radius, self.softness, self.strength, *(value for point in self.points for value in point)]
        if not self.points or not all(map(math.isfinite, numbers)):
            raise OptionError("A stroke needs a point at least, and finite numbers.")
        if self.radius <= 0 or not 0 <= self.softness <= 1 or not 0 <= self.strength <= 1:
            raise OptionError("A stroke's radius must be over 0, its softness and strength from 0 to 1.")


def full_mask(shape: tuple[int, int]) -> np.ndarray:
    """A mask that keeps all: float32 ones [rows, columns]."""
    return np.ones(shape, np.float32)


def paint(mask: np.ndarray, stroke: Stroke) -> None:
    """Paint a stroke and its mirror image on a mask, in place.

    Where strokes overlap the one that removes most counts: painting the same twice changes nothing. Brush and notch go
    on at the opposite edge, for spectra are periodic. The zero frequency, the picture's mean, always stays.
    """
    zero = mask[0, 0].copy()
    if stroke.tool in ("brush", "notch"):
        for start, end in _lines(stroke):
            _paint_capsule(mask, stroke, start, end)
    else:
        _paint_far(mask, stroke)
    mask[0, 0] = zero


def mirrored(mask: np.ndarray) -> np.ndarray:
    """A mask of which each frequency has the lower of its value and that of its opposite: float32."""
    return np.minimum(mask, opposite(mask)).astype(np.float32)


def opposite(values: np.ndarray) -> np.ndarray:
    """At each frequency the value at its opposite."""
    return np.roll(values[::-1, ::-1], (1, 1), axis=(0, 1))


def reached(shape: tuple[int, int], stroke: Stroke) -> list[tuple[slice, slice]]:
    """Rows and columns of the blocks of a mask outside of which a stroke paints nothing."""
    if stroke.tool not in ("brush", "notch"):
        return [(slice(0, shape[0]), slice(0, shape[1]))]
    blocks: list[tuple[slice, slice]] = []
    for start, end in _lines(stroke):
        for down in _runs(start[0], end[0], stroke.radius, shape[0]):
            for across in _runs(start[1], end[1], stroke.radius, shape[1]):
                blocks += [(down.bins, across.bins), (down.opposite, across.opposite)]
    return blocks


@dataclass(frozen=True)
class _Run:
    """Frequencies along one axis whose bins lie side by side, as their opposites do."""

    first: int  # and as many as there are bins
    bins: slice
    opposite: slice  # the bins of the opposite frequencies, the last one first

    @property
    def frequencies(self) -> np.ndarray:
        return np.arange(self.first, self.first + self.bins.stop - self.bins.start)


def _lines(stroke: Stroke) -> Iterator[tuple[Point, Point]]:
    """The lines that a brush or notch goes along; points are lines too."""
    is_path = stroke.tool == "brush" and len(stroke.points) > 1
    return itertools.pairwise(stroke.points) if is_path else ((point, point) for point in stroke.points)


def _paint_capsule(mask: np.ndarray, stroke: Stroke, start: Point, end: Point) -> None:
    """Paint what lies within the radius of a line, some rows at a time: a large brush on all cores."""
    rows, columns = mask.shape
    combine = np.maximum if stroke.restores else np.minimum
    runs: list[tuple[_Run, _Run]] = []
    for down in _runs(start[0], end[0], stroke.radius, rows, _BRUSH_ROWS):
        # How far to the sides of the line the circles at its ends reach in these rows.
        above, below = min(start[0], end[0]) - down.frequencies[-1], down.frequencies[0] - max(start[0], end[0])
        half = math.sqrt(max(stroke.radius**2 - max(above, below, 0.0) ** 2, 0.0))
        runs += [(down, across) for across in _runs(start[1], end[1], half, columns)]

    def paint_one(index: int) -> np.ndarray:
        down, across = runs[index]
        weights = _fade(_line_distances(down.frequencies, across.frequencies, start, end), stroke)
        values = weights if stroke.restores else 1 - weights
        part = mask[down.bins, across.bins]
        combine(part, values, out=part)
        return np.ascontiguousarray(values[::-1, ::-1])

    def paint_opposite(index: int) -> None:
        down, across = runs[index]
        part = mask[down.opposite, across.opposite]
        combine(part, values[index], out=part)

    reach = [abs(end[axis] - start[axis]) + 2 * stroke.radius + 1 for axis in (0, 1)]
    if len(runs) < _BRUSH_RUNS or reach[0] > rows or reach[1] > columns:
        values = [paint_one(index) for index in range(len(runs))]
        for index in range(len(runs)):
            paint_opposite(index)
        return
    # No two of the blocks meet, nor do two of their mirror images.
    values = map_strips(lambda part: paint_one(part.start), len(runs), 1)
    map_strips(lambda part: paint_opposite(part.start), len(runs), 1)


def _runs(start: float, end: float, radius: float, length: int, most: int = sys.maxsize) -> Iterator[_Run]:
    """The whole frequencies near to a line along one axis of a mask, in runs of so many at most."""
    frequency, last = math.ceil(min(start, end) - radius), math.floor(max(start, end) + radius)
    while frequency <= last:
        bin = frequency % length
        # The zero frequency is its own opposite, while the opposites of those after it go down from the end.
        count = min(last - frequency + 1, most, length - bin if bin else 1)
        opposite = slice(length - bin - count + 1, length - bin + 1) if bin else slice(0, 1)
        yield _Run(frequency, slice(bin, bin + count), opposite)
        frequency += count


def _line_distances(down: np.ndarray, across: np.ndarray, start: Point, end: Point) -> np.ndarray:
    """Distances of frequencies from a line between two points: float32, which is four times as fast."""
    y, x = (down - start[0])[:, None], (across - start[1])[None, :]
    along_y, along_x = end[0] - start[0], end[1] - start[1]
    squared = along_y**2 + along_x**2
    if squared > 0:
        share = (y * (along_y / squared)).astype(np.float32) + (x * (along_x / squared)).astype(np.float32)
        np.clip(share, 0, 1, out=share)
        from_y = y.astype(np.float32) - share * np.float32(along_y)
        from_x = x.astype(np.float32) - share * np.float32(along_x)
        return np.sqrt(np.square(from_y, out=from_y) + np.square(from_x, out=from_x))
    return np.sqrt(np.square(y).astype(np.float32) + np.square(x).astype(np.float32))


def _paint_far(mask: np.ndarray, stroke: Stroke) -> None:
    """Paint a ring, wedge or band, some rows at a time."""
    y, x = (np.fft.fftfreq(length) * max(mask.shape) for length in mask.shape)

    def put(rows: slice, columns: slice, down: np.ndarray, across: np.ndarray) -> None:
        distances = _far_distances(mask.shape, stroke, down[:, None], across[None, :])
        near = distances <= stroke.radius
        part, weights = mask[rows, columns], _fade(distances[near], stroke)
        part[near] = np.maximum(part[near], weights) if stroke.restores else np.minimum(part[near], 1 - weights)

    for first in range(0, len(y), _WIDE_ROWS):
        rows = slice(first, first + _WIDE_ROWS)
        put(rows, slice(None), y[rows], x)
    # The highest frequency of an even length is its own opposite, though it has one sign here.
    opposite_y, opposite_x = (np.roll(each[::-1], 1) for each in (y, x))
    for length, place in ((len(y), 0), (len(x), 1)):
        if length % 2 == 0:
            half = slice(length // 2, length // 2 + 1)
            rows, columns = (half, slice(None)) if place == 0 else (slice(None), half)
            put(rows, columns, opposite_y[rows], opposite_x[columns])


def _far_distances(shape: tuple[int, ...], stroke: Stroke, y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Distances of frequencies, in cycles along the longer side, from a ring, wedge or band: over the radius where they
    are outside.
    """
    rows, columns = shape
    longer = max(rows, columns)
    down, across = stroke.points[-1][0] * longer / rows, stroke.points[-1][1] * longer / columns
    distance = math.hypot(down, across)
    if stroke.tool == "ring":
        return np.abs(np.hypot(y, x) - distance)
    if distance == 0:
        return np.full((len(y), x.shape[1]), np.inf)  # no direction
    along = np.abs(y * down + x * across) / distance
    aside = np.abs(y * across - x * down) / distance
    if stroke.tool == "band":
        return np.hypot(aside, np.maximum(distance - along, 0))
    inside = np.maximum(distance - np.hypot(y, x), 0)
    return np.maximum(np.arctan2(aside, along) * distance, inside)


def _fade(distances: np.ndarray, stroke: Stroke) -> np.ndarray:
    """The weight of a stroke at distances from its middle: 1, falling as a raised cosine to 0 at its radius."""
    hard = stroke.radius * (1 - stroke.softness)
    if hard == stroke.radius:
        weights = (distances <= stroke.radius).astype(np.float64)
    else:
        share = np.clip((distances - hard) / (stroke.radius - hard), 0, 1)
        weights = 0.5 + 0.5 * np.cos(np.pi * share)
    return (stroke.strength * weights).astype(np.float32)
