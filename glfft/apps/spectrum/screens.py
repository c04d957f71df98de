"""Which share of each frequency is the picture and not a halftone screen, moire or stripes: a Wiener filter.

It keeps signal / (signal + noise) of each frequency's power (Wiener, Extrapolation, Interpolation, and Smoothing of
Stationary Time Series, 1949). The sum is measured near the frequency. The signal is what the spectrum of a picture is
far from peaks: it depends on the distance from the zero frequency, and falls as a power of it (Field, Relations between
the statistics of natural images and the response properties of cortical cells, J. Opt. Soc. Am. A 4, 1987).
"""

import itertools
from collections.abc import Sequence

import numpy as np

from glfft.apps.spectrum.peaks import Peak, distances, near, ring_medians
from glfft.apps.spectrum.strokes import Stroke, full_mask, mirrored, paint

# Power this many times over the expected one is still the picture's, which is not the same in all directions.
_HEADROOM = 2.5
# Power is measured as the mean of the square up to so many bins away.
_NEAR = 2
# So many pairs of peaks are a screen of dots. Dots change with the picture, which spreads their power over all high
# frequencies; what the picture has there is lost. A few peaks are waves on top of it, and go alone.
_DOTS = 6
# Cycles along the longer side: all lower frequencies are the picture. A power law is fitted from there on, if up to
# _NARROWEST at least.
_LOWEST, _NARROWEST = 4.0, 16.0
_RINGS = 12
# How far a wave that does not fit the picture's edges reaches: cycles a pixel.
_FAR = 1 / 20
# The median of exponentially distributed powers over their mean.
_MEDIAN = float(np.log(2))


def screen_mask(magnitudes: np.ndarray, peaks: Sequence[Peak]) -> np.ndarray:
    """A mask, float32 [rows, columns] in FFT order, that removes what peaks belong to.

    Args:
        magnitudes: of the spectra of all colours [planes, rows, columns], FFT order, of a picture that was windowed.
        peaks: what `glfft.apps.spectrum.peaks.find_peaks` found, the highest first; at least one.
    """
    shape = magnitudes.shape[1:]
    distance = distances(shape)
    finest = min(_distance(peak, shape) for peak in peaks[:4]) / 2
    are_dots = len(peaks) >= _DOTS and finest >= _NARROWEST
    # Around the peaks, as far as their waves reach, and of dots also all that is as fine as they are.
    kept = full_mask(shape)
    for peak in peaks:
        paint(kept, Stroke("notch", (peak.point,), min(_distance(peak, shape) / 2, _FAR * max(shape))))
    if not are_dots:
        return kept
    gains = np.ones(shape)
    for plane in magnitudes:
        expected = np.minimum(ring_medians(plane, distance) ** 2 / _MEDIAN, _power_law(plane, distance, finest))
        power = np.square(plane, dtype=np.float64)
        for axis in (0, 1):
            power = near(power, _NEAR, axis, np.add) / (2 * _NEAR + 1)
        np.minimum(gains, _HEADROOM * expected / np.maximum(power, np.finfo(np.float64).tiny), out=gains)
    kept = np.minimum(kept, np.clip(2 - 2 * distance / finest, 0, 1))
    kept[distance < _LOWEST] = 1
    return mirrored(np.minimum(gains + kept * (1 - gains), 1))


def _power_law(magnitudes: np.ndarray, distance: np.ndarray, finest: float) -> np.ndarray:
    """The power law through the median powers of rings up to a distance, at all distances."""
    edges = np.geomspace(_LOWEST, finest, _RINGS + 1)
    middles, levels = [], []
    for inner, outer in itertools.pairwise(edges):
        ring = magnitudes[(distance >= inner) & (distance < outer)]
        if ring.size:
            middles.append(np.log(inner * outer) / 2)
            levels.append(2 * np.log(max(float(np.median(ring)), np.finfo(np.float32).tiny)))
    # No picture's power rises towards fine detail.
    slope = min(float(np.polyfit(middles, levels, 1)[0]), -1.0)
    level = float(np.mean(levels)) - slope * float(np.mean(middles))
    return np.exp(level) / _MEDIAN * np.maximum(distance, 1) ** slope


def _distance(peak: Peak, shape: tuple[int, ...]) -> float:
    rows, columns = shape
    longer = max(rows, columns)
    return float(np.hypot(peak.point[0] * longer / rows, peak.point[1] * longer / columns))
