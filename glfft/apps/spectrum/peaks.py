"""Finds what repeats in a picture: the peaks of halftone screens, moire and stripes in its spectrum."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from glfft.apps.spectrum.strokes import Point, Stroke

_NEAREST = 8.0  # peaks nearer to the zero frequency, in cycles along the longer side, are the picture itself
# A peak is higher than all bins of the square around it from _INNER to _OUTER bins away, so many times. Edges in a
# picture draw lines in its spectrum, along which this does not hold. The main lobe of the Hann window is 2 bins wide.
_INNER, _OUTER = 4, 9
_STANDS_OUT = 2.5
MEDIAN = float(np.log(2))  # the median of exponentially distributed powers over their mean
_APART = 3  # two peaks are more than so many bins apart
_MOST_CANDIDATES = 1 << 14  # candidates that are looked at
_RING_BINS = 64  # a ring of fewer bins than this shares its median with its neighbours
_MOST_SAMPLES = 1 << 20  # so many bins of a large spectrum are enough for medians


@dataclass(frozen=True)
class Peak:
    """A local maximum of a magnitude spectrum; its mirror image is another, which is not listed."""

    point: Point  # cycles a picture, (down, across)
    height: float  # its magnitude over the median of its ring

    def along_longer(self, shape: tuple[int, ...]) -> Point:
        """Its frequency in cycles along the longer side."""
        return self.point[0] * max(shape) / shape[0], self.point[1] * max(shape) / shape[1]

    def distance(self, shape: tuple[int, ...]) -> float:
        """How far it is from the zero frequency, in cycles along the longer side."""
        return float(np.hypot(*self.along_longer(shape)))


def find_peaks(magnitudes: np.ndarray) -> list[Peak]:
    """The peaks of a magnitude spectrum [rows, columns], FFT order, of a picture that was windowed; the highest first.
    A peak is the largest value within 3 bins, 2.5 times as high as what is near, and 3 times as far over the median of
    its ring, the bins as far from the zero frequency, as the highest bin of noise. Magnitudes of noise are Rayleigh
    distributed (Goodman, Statistical Optics, 2.9): M bins exceed sqrt(ln M / ln 2) medians once on average.
    """
    rows, columns = magnitudes.shape
    least = 3 * float(np.sqrt(np.log(max(rows * columns, 2)) / np.log(2)))
    distance = distances(magnitudes.shape)
    height = magnitudes / ring_medians(magnitudes, distance)
    largest = near(near(magnitudes, _APART, 0, np.maximum), _APART, 1, np.maximum)
    candidate = (height >= least) & (distance >= _NEAREST) & (magnitudes >= largest)
    down, across = np.nonzero(candidate)
    order = np.argsort(-height[down, across], kind="stable")[:_MOST_CANDIDATES]
    order = order[_stand_out(magnitudes, down[order], across[order])]
    found: dict[tuple[int, int], Peak] = {}
    for row, column in zip(down[order].tolist(), across[order].tolist(), strict=True):
        if ((-row) % rows, (-column) % columns) not in found:
            point = (row + rows // 2) % rows - rows // 2, (column + columns // 2) % columns - columns // 2
            found[row, column] = Peak(point, float(height[row, column]))
    return list(found.values())


def colour_peaks(magnitudes: np.ndarray) -> list[Peak]:
    """The peaks of all colours [planes, rows, columns], the highest first; of two within 3 bins the higher one."""
    found = [peak for plane in magnitudes for peak in find_peaks(plane)]
    kept: list[Peak] = []
    for peak in sorted(found, key=lambda peak: -peak.height):
        y, x = peak.point
        others = (other.point for other in kept)  # or their mirror images
        if all(min(np.hypot(y - v, x - u), np.hypot(y + v, x + u)) > _APART for v, u in others):
            kept.append(peak)
    return kept


def notch(peaks: Sequence[Peak], radius: float) -> Stroke:
    return Stroke("notch", tuple(peak.point for peak in peaks), radius)


def distances(shape: tuple[int, ...]) -> np.ndarray:
    """How far each bin [rows, columns], FFT order, is from the zero frequency, in cycles along the longer side."""
    rows, columns = shape
    longer = max(rows, columns)
    return np.hypot((np.fft.fftfreq(rows) * longer)[:, None], (np.fft.fftfreq(columns) * longer)[None, :])


def ring_medians(magnitudes: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """For each bin the median magnitude of its ring: linear between the rings, each at least _RING_BINS bins large."""
    step = max(1, magnitudes.size // _MOST_SAMPLES)
    sampled, value = distance.ravel()[::step], magnitudes.ravel()[::step]
    order = np.argsort(sampled, kind="stable")
    sampled, value = sampled[order], value[order]
    starts = [0]  # rings one cycle wide, merged while they hold too few bins
    for edge in np.searchsorted(sampled, np.arange(0.5, sampled[-1] + 1)).tolist():
        if edge - starts[-1] >= _RING_BINS and len(sampled) - edge >= _RING_BINS:
            starts.append(edge)
    middles = [float(ring.mean()) for ring in np.split(sampled, starts[1:])]
    medians = [float(np.median(ring)) for ring in np.split(value, starts[1:])]
    # What no sample of a picture is made of has no noise either: the rounding of float32 is a floor.
    floor = max(float(np.max(magnitudes, initial=0.0)) * 1e-7, np.finfo(np.float32).tiny)
    return np.maximum(np.interp(distance, middles, medians), floor)


def near(values: np.ndarray, radius: int, axis: int, combine: np.ufunc) -> np.ndarray:
    """Each value combined with so many on both sides of it along an axis, which goes on at the opposite edge."""
    combined = values
    for shift in range(1, radius + 1):
        combined = combine(combined, np.roll(values, shift, axis))
        combined = combine(combined, np.roll(values, -shift, axis))
    return combined


def _stand_out(magnitudes: np.ndarray, down: np.ndarray, across: np.ndarray) -> np.ndarray:
    rows, columns = magnitudes.shape
    highest = np.zeros(len(down), magnitudes.dtype)
    for y in range(-_OUTER, _OUTER + 1):
        for x in range(-_OUTER, _OUTER + 1):
            if max(abs(y), abs(x)) >= _INNER:
                np.maximum(highest, magnitudes[(down + y) % rows, (across + x) % columns], out=highest)
    return magnitudes[down, across] >= _STANDS_OUT * highest
