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
from glfft.apps.spectrum.strokes import Stroke, mirrored, paint

# Power this many times over the expected one is still the picture's, which is not the same in all directions. Near
# waves it is that of single bins, which vary more.
_HEADROOM, _HEADROOM_OF_BINS = 2.5, 5.0
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
# Detail as fine as dots is mixed with them. This share of their frequency is where a Gaussian keeps 1/e.
_MIXED = 0.8
# The median of exponentially distributed powers over their mean.
_MEDIAN = float(np.log(2))


def screen_mask(magnitudes: np.ndarray, peaks: Sequence[Peak], without_window: np.ndarray) -> np.ndarray:
    """A mask, float32 [rows, columns] in FFT order, that removes what peaks belong to.

    Args:
        magnitudes: of the spectra of all colours [planes, rows, columns], FFT order, of a picture that was windowed.
        peaks: what `glfft.apps.spectrum.peaks.find_peaks` found, the highest first; at least one.
        without_window: magnitudes of the picture itself, which the mask is for.
    """
    shape = magnitudes.shape[1:]
    finest = min(_distance(peak, shape) for peak in peaks[:4]) / 2
    if len(peaks) >= _DOTS and finest >= _NARROWEST:
        return mirrored(_without_dots(magnitudes, peaks, finest))
    return mirrored(_without_waves(without_window, peaks))


def _without_waves(magnitudes: np.ndarray, peaks: Sequence[Peak]) -> np.ndarray:
    """What stays of each frequency where a few waves are removed, as far around the peaks as they reach."""
    kept = _notched(magnitudes.shape[1:], peaks, softness=1.0)
    gains, distance = np.ones(kept.shape), distances(kept.shape)
    for plane in magnitudes:
        expected = _HEADROOM_OF_BINS * ring_medians(plane, distance) ** 2 / _MEDIAN
        np.minimum(gains, _share(expected, np.square(plane, dtype=np.float64)), out=gains)
    return gains + kept * (1 - gains)


def _without_dots(magnitudes: np.ndarray, peaks: Sequence[Peak], finest: float) -> np.ndarray:
    """What stays of each frequency where a screen is removed, whose dots are twice as fine as `finest`."""
    kept = _notched(magnitudes.shape[1:], peaks, softness=0.5)
    gains, distance = np.ones(kept.shape), distances(kept.shape)
    for plane in magnitudes:
        expected = np.minimum(ring_medians(plane, distance) ** 2 / _MEDIAN, _power_law(plane, distance, finest))
        power = np.square(plane, dtype=np.float64)
        for axis in (0, 1):
            power = near(power, _NEAR, axis, np.add) / (2 * _NEAR + 1)
        np.minimum(gains, _share(_HEADROOM * expected, power), out=gains)
    # All that is as fine as the dots, and not only what is around the peaks.
    kept = np.minimum(kept, np.clip(2 - 2 * distance / finest, 0, 1))
    mask = (gains + kept * (1 - gains)) * np.exp(-np.square(distance / (_MIXED * 2 * finest)))
    mask[distance < _LOWEST] = 1
    return mask


def _notched(shape: tuple[int, ...], peaks: Sequence[Peak], softness: float) -> np.ndarray:
    """A mask without what is around peaks, as far as their waves reach."""
    kept = np.ones(shape, np.float32)
    for peak in peaks:
        reach = min(_distance(peak, shape) / 2, _FAR * max(shape))
        paint(kept, Stroke("notch", (peak.point,), reach, softness))
    return kept


def _share(wanted: np.ndarray, power: np.ndarray) -> np.ndarray:
    return wanted / np.maximum(power, np.finfo(np.float64).tiny)


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
