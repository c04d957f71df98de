"""Which share of each frequency is the picture and not a halftone screen: a Wiener filter.

It keeps signal / (signal + noise) of each frequency's power (Wiener, Extrapolation, Interpolation, and Smoothing of
Stationary Time Series, 1949). The sum is measured near the frequency. The signal is what the spectrum of a picture is
far from peaks: it depends on the distance from the zero frequency, and falls as a power of it (Field, Relations between
the statistics of natural images and the response properties of cortical cells, J. Opt. Soc. Am. A 4, 1987).
"""

import itertools
from collections.abc import Sequence

import numpy as np

from glfft.apps.spectrum.peaks import MEDIAN, Peak, distances, near, ring_medians
from glfft.apps.spectrum.strokes import Stroke, mirrored, paint

# Power this many times over the expected one is still the picture's, which is not the same in all directions.
_HEADROOM = 3.0
_NEAR = 2  # power is measured as the mean of the square up to so many bins away
# A screen is looked for among so many peaks. Its two are as far from a square as so many cycles, and this share of
# their distance from the zero frequency.
_HIGHEST, _SQUARE = 8, (3.0, 0.02)
_LONGEST = 12  # longer waves, in pixels, are left alone
# Cycles along the longer side: all lower frequencies are the picture. A power law is fitted from there on, up to
# _NARROWEST at least, or _NARROWEST_OF_DOTS where waves are no longer than _LONGEST.
_LOWEST, _NARROWEST, _NARROWEST_OF_DOTS = 4.0, 16.0, 8.0
_RINGS = 12
_FAR = 1 / 20  # how far a peak that does not fit the picture's edges reaches: cycles a pixel
# Detail as fine as dots is mixed with them. This share of their frequency is where a Gaussian keeps 1/e.
_MIXED = 0.87


def is_screen(peaks: Sequence[Peak], shape: tuple[int, ...]) -> bool:
    """Whether a screen of dots is among peaks, the highest first: two of the highest, equally far, at a right angle."""
    finest = _finest(peaks, shape)
    # A longer pattern of a large picture may be the picture.
    return finest >= (_NARROWEST_OF_DOTS if max(shape) <= _LONGEST * 2 * finest else _NARROWEST)


def short_waves(peaks: Sequence[Peak], shape: tuple[int, ...]) -> list[Peak]:
    """Peaks without those that may be the picture, such as bricks or ripples: long waves and their multiples."""
    long = [peak.along_longer(shape) for peak in peaks if peak.distance(shape) < max(shape) / _LONGEST]

    def is_multiple(peak: Peak, of: tuple[float, float]) -> bool:
        y, x = peak.along_longer(shape)
        times = round((y * of[0] + x * of[1]) / (of[0] ** 2 + of[1] ** 2))
        return times != 0 and np.hypot(y - times * of[0], x - times * of[1]) <= _SQUARE[0]

    return [peak for peak in peaks if not any(is_multiple(peak, of) for of in long)]


def screen_mask(magnitudes: np.ndarray, peaks: Sequence[Peak]) -> np.ndarray:
    """A mask, float32 [rows, columns] in FFT order, that removes the screen of dots among `peaks`, by the magnitudes of
    the spectra of all colours [planes, rows, columns] of a picture that was windowed. Dots change with the picture,
    which spreads their power over all high frequencies.
    """
    shape = magnitudes.shape[1:]
    finest = _finest(peaks, shape)
    kept = np.ones(shape, np.float32)
    for peak in peaks:
        reach = min(peak.distance(shape) / 2, _FAR * max(shape))
        paint(kept, Stroke("notch", (peak.point,), reach, softness=0.5))
    gains, distance = np.ones(shape), distances(shape)
    for plane in magnitudes:
        expected = np.minimum(ring_medians(plane, distance) ** 2 / MEDIAN, _power_law(plane, distance, finest))
        power = np.square(plane, dtype=np.float64)
        for axis in (0, 1):
            power = near(power, _NEAR, axis, np.add) / (2 * _NEAR + 1)
        np.minimum(gains, _HEADROOM * expected / np.maximum(power, np.finfo(np.float64).tiny), out=gains)
    # All that is as fine as the dots, and not only what is around the peaks.
    kept = np.minimum(kept, np.clip(2 - 2 * distance / finest, 0, 1))
    mask = (gains + kept * (1 - gains)) * np.exp(-np.square(distance / (_MIXED * 2 * finest)))
    mask[distance < _LOWEST] = 1
    return mirrored(mask)


def _finest(peaks: Sequence[Peak], shape: tuple[int, ...]) -> float:
    """Half the distance of the nearest screen among the highest peaks, or 0: detail below is not mixed with dots."""
    found: list[float] = []
    for one, other in itertools.combinations(peaks[:_HIGHEST], 2):
        (y, x), (v, u) = (peak.along_longer(shape) for peak in (one, other))
        # A quarter turn of one is the other, or its mirror image.
        apart = min(np.hypot(v - x, u + y), np.hypot(v + x, u - y))
        if apart <= _SQUARE[0] + _SQUARE[1] * np.hypot(y, x):
            found.append(min(np.hypot(y, x), np.hypot(v, u)) / 2)
    return float(min(found, default=0.0))


def _power_law(magnitudes: np.ndarray, distance: np.ndarray, finest: float) -> np.ndarray:
    """The power law through the median powers of rings up to `finest`, at all distances."""
    edges = np.geomspace(_LOWEST, finest, _RINGS + 1)
    middles, levels = [], []
    for inner, outer in itertools.pairwise(edges):
        ring = magnitudes[(distance >= inner) & (distance < outer)]
        if ring.size:
            middles.append(np.log(inner * outer) / 2)
            levels.append(2 * np.log(max(float(np.median(ring)), np.finfo(np.float32).tiny)))
    slope = min(float(np.polyfit(middles, levels, 1)[0]), -1.0)  # no picture's power rises towards fine detail
    level = float(np.mean(levels)) - slope * float(np.mean(middles))
    return np.exp(level) / MEDIAN * np.maximum(distance, 1) ** slope
