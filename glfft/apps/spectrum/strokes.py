"""Strokes over a spectrum: which share of each frequency stays. Each is mirrored, so that pictures stay real.

A mask is float32 [rows, columns] in FFT order, from 0 (removed) to 1 (kept). A real picture has F(-k) = conj F(k), and
keeps it where mask(-k) = mask(k) (Bracewell, The Fourier Transform and Its Applications, chapter 2).
"""

import itertools
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

TOOLS = ("brush", "notch", "ring", "wedge", "band")
Point = tuple[float, float]
Distances = Callable[[np.ndarray, np.ndarray], np.ndarray]  # of frequencies, down and across

# So many rows at once stay in a processor's caches: of a whole spectrum, and as wide as a large brush.
_WIDE_ROWS, _BRUSH_ROWS = 16, 64


@dataclass(frozen=True)
class Stroke:
    """Frequencies are (down, across), cycles a picture, negative ones upwards and left."""

    # brush: all within `radius` of the path through the points. notch: discs at the points. The others go by the last
    # point. ring: its distance from the zero frequency, give or take `radius`. wedge: its direction from there and the
    # opposite one, `radius` to each side at its distance, from it outwards. band: a strip from it outwards, `radius`
    # to each side. Ring, wedge and band measure in cycles along the longer side, alike in each direction.
    tool: str  # one of TOOLS
    points: tuple[Point, ...]  # one at least
    radius: float = 3.0  # cycles a picture, over 0
    softness: float = 0.5  # the share of the radius over which the edge fades, as a cosine: 0 is hard, 1 all of it


def paint(
    mask: np.ndarray, stroke: Stroke, begun: bool = False, touch: Callable[[slice, slice], object] = lambda *_: None
) -> None:
    """Paint a stroke and its mirror image on a mask, in place; the first point of a brush that has `begun` is painted.
    Where strokes overlap the one that removes most counts. Brush and notch go on at the opposite edge, for spectra are
    periodic. The zero frequency, the picture's mean, always stays. `touch` is told rows and columns before they change.
    """
    zero = mask[0, 0].copy()
    for down, across, distances in _blocks(mask.shape, stroke, begun):
        kept = _kept(distances(down.frequencies[:, None], across.frequencies[None, :]), stroke)
        there, opposite = (down.bins, across.bins), (down.opposite, across.opposite)
        for place, values in ((there, kept), (opposite, kept[::-1, ::-1])):
            touch(*place)
            np.minimum(mask[place], values, out=mask[place])
    mask[0, 0] = zero


def mirrored(mask: np.ndarray) -> np.ndarray:
    """A mask of which each frequency has the lower of its own value and its opposite's: float32."""
    return np.minimum(mask, opposite(mask)).astype(np.float32)


def opposite(values: np.ndarray) -> np.ndarray:
    return np.roll(values[::-1, ::-1], (1, 1), axis=(0, 1))


class _Run(NamedTuple):
    """Frequencies along one axis whose bins lie side by side, as their opposites do."""

    frequencies: np.ndarray
    bins: slice
    opposite: slice  # the bins of the opposite frequencies, the last one first


def _blocks(shape: tuple[int, ...], stroke: Stroke, begun: bool) -> Iterator[tuple[_Run, _Run, Distances]]:
    """Blocks of frequencies that a stroke may reach, and their distances from its middle; if `begun`, not of those near
    its start. What is left out of the others are mirror images.
    """
    if stroke.tool not in ("brush", "notch"):
        rows, columns = shape
        # The highest frequency of an even length is its own opposite: both signs.
        for down in _runs(0, rows // 2, rows, _WIDE_ROWS):
            for across in _runs(-(columns // 2), columns // 2, columns):
                yield down, across, partial(_far_distances, shape, stroke)
        return
    is_path, radius = stroke.tool == "brush" and len(stroke.points) > 1, stroke.radius
    for start, end in itertools.pairwise(stroke.points) if is_path else zip(stroke.points, stroke.points, strict=True):
        (top, bottom), (left, right) = (sorted(each) for each in zip(start, end, strict=True))
        along_y, along_x = end[0] - start[0], end[1] - start[1]
        for down in _runs(top - radius, bottom + radius, shape[0], _BRUSH_ROWS):
            first, last = down.frequencies[0], down.frequencies[-1]
            # How far to the sides of the line the circles at its ends reach in these rows.
            half = math.sqrt(max(radius**2 - max(top - last, first - bottom, 0.0) ** 2, 0.0))
            low, high = left - half, right + half
            if begun:
                # Nearer to the line than to its start are those with a positive product of both directions.
                forward = max((first - start[0]) * along_y, (last - start[0]) * along_y)
                if along_x > 0:
                    low = max(low, start[1] - forward / along_x)
                elif along_x < 0:
                    high = min(high, start[1] - forward / along_x)
                elif forward <= 0:
                    continue
            for across in _runs(low, high, shape[1]):
                yield down, across, partial(_line_distances, start, end)


def _runs(low: float, high: float, length: int, most: int = sys.maxsize) -> Iterator[_Run]:
    """The whole frequencies of a range along one axis of a mask, in runs of so many at most."""
    frequency, last = math.ceil(low), math.floor(high)
    while frequency <= last:
        bin = frequency % length
        # The zero frequency is its own opposite, while the opposites of those after it go down from the end.
        count = min(last - frequency + 1, most, length - bin if bin else 1)
        opposite = slice(length - bin - count + 1, length - bin + 1) if bin else slice(0, 1)
        yield _Run(np.arange(frequency, frequency + count), slice(bin, bin + count), opposite)
        frequency += count


def _line_distances(start: Point, end: Point, down: np.ndarray, across: np.ndarray) -> np.ndarray:
    """Distances of frequencies from a line between two points: float32, which is four times as fast."""
    y, x = down - start[0], across - start[1]
    along_y, along_x = end[0] - start[0], end[1] - start[1]
    squared = along_y**2 + along_x**2 or 1.0
    share = (y * (along_y / squared)).astype(np.float32) + (x * (along_x / squared)).astype(np.float32)
    np.clip(share, 0, 1, out=share)
    from_y = y.astype(np.float32) - share * np.float32(along_y)
    from_x = x.astype(np.float32) - np.multiply(share, np.float32(along_x), out=share)
    return np.sqrt(np.add(np.square(from_y, out=from_y), np.square(from_x, out=from_x), out=from_y), out=from_y)


def _far_distances(shape: tuple[int, ...], stroke: Stroke, y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Distances, in cycles along the longer side, from a ring, wedge or band: over the radius outside of it."""
    rows, columns = (max(shape) / length for length in shape)
    y, x = y * rows, x * columns
    down, across = stroke.points[-1][0] * rows, stroke.points[-1][1] * columns
    distance = math.hypot(down, across)
    if stroke.tool == "ring":
        return np.abs(np.hypot(y, x) - distance)
    if distance == 0:
        return np.full((len(y), x.shape[1]), np.inf)  # no direction
    along = np.abs(y * down + x * across) / distance
    aside = np.abs(y * across - x * down) / distance
    if stroke.tool == "band":
        return np.hypot(aside, np.maximum(distance - along, 0))
    return np.maximum(np.arctan2(aside, along) * distance, distance - np.hypot(y, x))


def _kept(distances: np.ndarray, stroke: Stroke) -> np.ndarray:
    """What a stroke keeps at distances from its middle: 0, rising as a raised cosine to 1 at its radius."""
    hard = stroke.radius * (1 - stroke.softness)
    if hard == stroke.radius:
        return (distances > stroke.radius).astype(np.float32)
    # In place, as a brush goes over a million frequencies while it is drawn.
    kept = (distances - hard) * (np.pi / (stroke.radius - hard))
    np.cos(np.clip(kept, 0, np.pi, out=kept), out=kept)
    kept -= 1
    kept *= -0.5
    return kept.astype(np.float32, copy=False)
