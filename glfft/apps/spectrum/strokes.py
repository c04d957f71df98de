"""Strokes over a spectrum: which share of each frequency stays. Each is mirrored, so that pictures stay real.

A mask is float32 [rows, columns] in FFT order, from 0 (removed) to 1 (kept). A real picture has F(-k) = conj F(k), and
keeps it where mask(-k) = mask(k) (Bracewell, The Fourier Transform and Its Applications, chapter 2).
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from glfft.errors import OptionError

TOOLS = ("brush", "notch", "ring", "wedge", "band")

Point = tuple[float, float]

_ROWS_AT_ONCE = 16


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
        is_line = stroke.tool == "brush" and len(stroke.points) > 1
        lines = itertools.pairwise(stroke.points) if is_line else ((point, point) for point in stroke.points)
        for start, end in lines:
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


def _paint_capsule(mask: np.ndarray, stroke: Stroke, start: Point, end: Point) -> None:
    """Paint what lies within the radius of a line."""
    rows, columns = mask.shape
    for down in _pieces(start[0], end[0], stroke.radius, rows):
        for across in _pieces(start[1], end[1], stroke.radius, columns):
            weights = _fade(_line_distances(down, across, start, end), stroke)
            _put(mask, np.ix_(down % rows, across % columns), weights, stroke)
            _put(mask, np.ix_(-down % rows, -across % columns), weights, stroke)


def _pieces(start: float, end: float, radius: float, length: int) -> Iterator[np.ndarray]:
    """The whole frequencies near to a line along one axis, in pieces of which none meets itself around the edge."""
    first, last = math.ceil(min(start, end) - radius), math.floor(max(start, end) + radius)
    for begin in range(first, last + 1, length):
        yield np.arange(begin, min(begin + length, last + 1))


def _line_distances(down: np.ndarray, across: np.ndarray, start: Point, end: Point) -> np.ndarray:
    """Distances of frequencies from a line between two points."""
    y, x = down[:, None] - start[0], across[None, :] - start[1]
    along_y, along_x = end[0] - start[0], end[1] - start[1]
    squared = along_y**2 + along_x**2
    share = np.clip((y * along_y + x * along_x) / squared, 0, 1) if squared > 0 else 0.0
    return np.hypot(y - share * along_y, x - share * along_x)


def _paint_far(mask: np.ndarray, stroke: Stroke) -> None:
    """Paint a ring, wedge or band, some rows at a time: what is computed stays in a processor's caches."""
    y, x = (np.fft.fftfreq(length) * max(mask.shape) for length in mask.shape)

    def put(rows: slice, columns: slice, down: np.ndarray, across: np.ndarray) -> None:
        distances = _far_distances(mask.shape, stroke, down[:, None], across[None, :])
        near = distances <= stroke.radius
        part = mask[rows, columns]
        _put(part, (near,), _fade(distances[near], stroke), stroke)

    for first in range(0, len(y), _ROWS_AT_ONCE):
        rows = slice(first, first + _ROWS_AT_ONCE)
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


def _put(
    mask: np.ndarray, where: tuple[slice, slice] | tuple[np.ndarray, ...], weights: np.ndarray, stroke: Stroke
) -> None:
    mask[where] = np.maximum(mask[where], weights) if stroke.restores else np.minimum(mask[where], 1 - weights)
