"""What lies over a picture: halftone screens, stripes and moire, and which share of each frequency is the picture.

A Wiener filter keeps signal / (signal + noise) of a frequency's power (Wiener, Extrapolation, Interpolation, and
Smoothing of Stationary Time Series, 1949). The sum is measured near the frequency. The signal is what the spectrum of a
picture is far from peaks: it depends on the distance from the zero frequency, and falls as a power of it (Field,
Relations between the statistics of natural images and the response properties of cortical cells, J. Opt. Soc. Am. A 4,
1987).

Stripes and moire are waves. They are fitted and subtracted, and not cut out of the spectrum: a picture is not periodic
in them, so that each wave reaches over whole rows and columns of the spectrum. What is left around a wave's frequency,
because the wave is not as high everywhere, the filter takes.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from glfft.apps.spectrum.peaks import MEDIAN, Peak, distances, near, ring_medians
from glfft.apps.spectrum.strokes import Point, Stroke, mirrored, paint

# Power this many times over the expected one is still the picture's, which is not the same in all directions.
_HEADROOM = 3.0
_NEAR = 2  # power is measured as the mean of the square up to so many bins away
# A screen's two peaks, of so many, are as far from a square as so many cycles and a share of their own frequency.
_HIGHEST, _SQUARE = 8, (3.0, 0.02)
_LONGEST = 12  # longer waves, in pixels, are left alone
# Cycles along the longer side: all lower frequencies are the picture. A power law is fitted from there on, up to
# _NARROWEST at least, or _NARROWEST_OF_DOTS where waves are no longer than _LONGEST.
_LOWEST, _NARROWEST, _NARROWEST_OF_DOTS = 4.0, 16.0, 8.0
_RINGS = 12
_FAR = 1 / 20  # how far a peak that does not fit the picture's edges reaches: cycles a pixel
# Detail as fine as dots is mixed with them. This share of their frequency is where a Gaussian keeps 1/e.
_MIXED = 0.87
_NEIGHBOURS = 2  # the clean value of a clipped pixel is looked for up to so many pixels away
_MEET = 4  # a peak is not told from its mirror image as near as this, in bins: the main lobes of the Hann window meet
# Up to half way to zero and to this share of the longer side's cycles, power goes that is so many times the picture's.
_WAVE_FAR, _OVER = 1 / 10, 3.0
_BEYOND = 1.4  # what is farther than that, up to so many times as far, shows the picture's power there


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
        expected = np.minimum(_expected(plane, distance), _power_law(plane, distance, finest))
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


@dataclass(frozen=True)
class Wave:
    """2 Re(amplitude exp(2 pi i (down y / rows + across x / columns))) at the pixel (y, x)."""

    point: Point  # cycles a picture, (down, across), with fractions
    amplitude: complex


def fit_wave(spectrum: np.ndarray, peak: Peak) -> Wave:
    """The wave whose peak a spectrum [rows, columns], FFT order, of a picture under a Hann window has.

    The fraction of its frequency follows from the peak's neighbours: it is (2 a - 1) / (a + 1) where the higher one is
    a times the peak (Grandke, Interpolation algorithms for discrete Fourier transforms of weighted signals, IEEE Trans.
    Instrum. Meas. 32, 1983). Near the highest frequency of both axes the mirror image is too near, and the wave 0.
    """
    to_mirror = np.mod(2 * np.array(peak.point), spectrum.shape)
    if np.all(np.minimum(to_mirror, spectrum.shape - to_mirror) <= _MEET):
        return Wave(peak.point, 0j)
    place = (int(peak.point[0]), int(peak.point[1]))
    top = abs(spectrum[place])
    point, response = [], 1.0 + 0j
    for axis, (cycles, length) in enumerate(zip(place, spectrum.shape, strict=True)):
        line = np.take(spectrum, place[1 - axis], 1 - axis)
        before, after = (float(abs(line[(cycles + step) % length])) for step in (-1, 1))
        ratio = max(before, after) / max(float(top), np.finfo(np.float32).tiny)
        fraction = float(np.clip((2 * ratio - 1) / (ratio + 1), -0.5, 0.5)) * (1 if after > before else -1)
        turns = np.arange(length) / length
        window = 0.5 - 0.5 * np.cos(2 * np.pi * turns)
        response *= complex(np.sum(window * np.exp(2j * np.pi * fraction * turns)))
        point.append(cycles + fraction)
    return Wave((point[0], point[1]), complex(spectrum[place]) / response)


def wave_values(waves: Sequence[Wave], shape: tuple[int, int]) -> np.ndarray:
    """The sum of waves over a picture [rows, columns]: float32."""
    total = np.zeros(shape, np.float32)
    for wave in waves:
        down, across = (
            np.exp(2j * np.pi * cycles * np.arange(length) / length).astype(np.complex64)
            for cycles, length in zip(wave.point, shape, strict=True)
        )
        total += 2 * np.real((np.complex64(wave.amplitude) * down)[:, None] * across[None, :])
    return total


def unwaved_shares(magnitudes: np.ndarray, waves: Sequence[Wave]) -> np.ndarray:
    """Which share of each frequency is the picture where waves lie over it: float32 [rows, columns], from the
    magnitudes of the spectrum [rows, columns], FFT order, of the picture without the waves and without a window.
    """
    rows, columns = shape = magnitudes.shape
    power = np.zeros(shape, np.float32)
    for wave in waves:
        for sign in (1, -1):
            down, across = _leakage(sign * wave.point[0], rows), _leakage(sign * wave.point[1], columns)
            power += abs(wave.amplitude) ** 2 * down[:, None] * across[None, :]
    expected = _expected(magnitudes, distances(shape))
    return mirrored(expected / (expected + power))


def unclipped(plane: np.ndarray, waves: np.ndarray) -> np.ndarray:
    """A plane [rows, columns], 0 to 1, with waves over it, before it was clipped: where it is 0 or 1, the possible
    value nearest to the mean of what is known of its neighbours.
    """
    low, high = plane <= 0, plane >= 1
    known = ~(low | high)
    clean, count = np.where(known, plane - waves, 0), known.astype(np.float32)
    for axis in (0, 1):
        clean, count = near(clean, _NEIGHBOURS, axis, np.add), near(count, _NEIGHBOURS, axis, np.add)
    clean = np.where(count > 0, clean / np.maximum(count, 1), plane)
    darker = np.minimum(np.clip(clean, 0, 1) + waves, 0)
    lighter = np.maximum(np.clip(clean, 0, 1) + waves, 1)
    return np.where(low & (waves < 0), darker, np.where(high & (waves > 0), lighter, plane))


def picture_shares(magnitudes: np.ndarray, peaks: Sequence[Peak]) -> np.ndarray:
    """Which share of each frequency is the picture after waves of these peaks were subtracted: float32 [rows, columns],
    from magnitudes as of `unwaved_shares`. More than the picture's power around a wave is noise (Wiener filter).
    """
    shape = magnitudes.shape
    over = np.square(magnitudes, dtype=np.float64) / _expected(magnitudes, distances(shape))
    noise = np.zeros(shape, np.float32)
    for peak in peaks:
        bins, away, reach = _around(peak, shape)
        part, inside = over[bins], away < reach
        beyond = part[(away >= reach) & (away < _BEYOND * reach)]
        usual = max(1.0, float(np.median(beyond)) / MEDIAN) if beyond.size else 1.0
        levels = np.maximum(_falling_levels(part[inside], away[inside], reach) - _OVER * usual, 0)
        found = np.where(inside, np.interp(away, np.arange(len(levels)), levels), 0)
        noise[bins] = np.maximum(noise[bins], found)
    return mirrored(1 / (1 + noise))


def _expected(magnitudes: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """The power that a picture has in each bin by its distance from the zero frequency."""
    return ring_medians(magnitudes, distance) ** 2 / MEDIAN


def _falling_levels(power: np.ndarray, away: np.ndarray, reach: float) -> np.ndarray:
    """The mean power of rings one cycle wide, from medians but for the smallest; none is higher than the one before."""
    order = np.argsort(away, kind="stable")
    rings = np.split(power[order], np.searchsorted(away[order], np.arange(1, int(np.ceil(reach)))))
    levels = [
        (float(np.median(ring)) / MEDIAN if ring.size > 2 else float(ring.mean())) if ring.size else np.inf
        for ring in rings
    ]
    falling = np.minimum.accumulate([*levels, 0.0])
    return np.where(np.isfinite(falling), falling, 0)


def _around(peak: Peak, shape: tuple[int, ...]) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray, float]:
    """Bins around a peak, how far each is from it, and how far its noise may reach, in cycles along the longer side."""
    longer, (rows, columns) = max(shape), shape
    reach = min(peak.distance(shape) / 2, _WAVE_FAR * longer)
    high, wide = (min(int(_BEYOND * reach / (longer / length)) + 1, (length - 1) // 2) for length in shape)
    y, x = np.ogrid[-high : high + 1, -wide : wide + 1]
    bins = (y + int(peak.point[0])) % rows, (x + int(peak.point[1])) % columns
    return bins, np.hypot(y * (longer / rows), x * (longer / columns)), reach


def _leakage(cycles: float, length: int) -> np.ndarray:
    """The power of exp(2 pi i cycles x / length) in each bin, FFT order."""
    apart = np.fft.fftfreq(length, 1 / length) - cycles
    above, below = np.square(length * np.sin(np.pi * apart)), np.square(length * np.sin(np.pi * apart / length))
    return np.where(below > 1e-12, above / np.maximum(below, 1e-12), float(length) ** 2).astype(np.float32)
