"""What repeats in a picture: the peaks of halftone screens, stripes and moire in its spectrum, and their shares of it.

A Wiener filter keeps signal / (signal + noise) of a frequency's power (Wiener, Extrapolation, Interpolation, and
Smoothing of Stationary Time Series, 1949). The sum is measured near the frequency. The signal is what the spectrum of a
picture is far from peaks: it depends on the distance from the zero frequency, and falls as a power of it (Field,
Relations between the statistics of natural images and the response properties of cortical cells, 1987).

Stripes and moire are waves. They are fitted and subtracted, and not cut out of the spectrum: a picture is not periodic
in them, so that each wave reaches over whole rows and columns of the spectrum. What is left around a wave's frequency,
because the wave is not as high everywhere, the filter takes.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from glfft.apps.spectrum.strokes import Point, Stroke, mirrored, paint

_NEAREST = 8.0  # peaks nearer to the zero frequency, in cycles along the longer side, are the picture itself
# A peak is higher than all bins of the square around it from _INNER to _OUTER bins away, so many times. Edges in a
# picture draw lines in its spectrum, along which this does not hold. The main lobe of the Hann window is 2 bins wide.
_INNER, _OUTER = 4, 9
_STANDS_OUT = 2.5
_MEDIAN = float(np.log(2))  # the median of exponentially distributed powers over their mean
_APART = 3  # two peaks are more than so many bins apart
_MOST_CANDIDATES = 1 << 14  # candidates that are looked at
_RING_BINS = 64  # a ring of fewer bins than this shares its median with its neighbours
_MOST_SAMPLES = 1 << 20  # so many bins of a large spectrum are enough for medians

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


@dataclass(frozen=True)
class Peak:
    """A local maximum of a magnitude spectrum; its mirror image is another, which is not listed."""

    point: Point  # cycles a picture, (down, across)
    height: float  # its magnitude over the median of its ring

    def along_longer(self, shape: tuple[int, ...]) -> complex:
        """Its frequency in cycles along the longer side: down + i across."""
        return complex(self.point[0] * max(shape) / shape[0], self.point[1] * max(shape) / shape[1])

    def distance(self, shape: tuple[int, ...]) -> float:
        """How far it is from the zero frequency, in cycles along the longer side."""
        return abs(self.along_longer(shape))


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
    down, across = np.nonzero((height >= least) & (distance >= _NEAREST) & (magnitudes >= largest))
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
        here, others = complex(*peak.point), (complex(*other.point) for other in kept)
        if all(min(abs(here - other), abs(here + other)) > _APART for other in others):  # or their mirror images
            kept.append(peak)
    return kept


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
    for y, x in itertools.product(range(-_OUTER, _OUTER + 1), repeat=2):
        if max(abs(y), abs(x)) >= _INNER:
            np.maximum(highest, magnitudes[(down + y) % rows, (across + x) % columns], out=highest)
    return magnitudes[down, across] >= _STANDS_OUT * highest


def is_screen(peaks: Sequence[Peak], shape: tuple[int, ...]) -> bool:
    """Whether a screen of dots is among peaks, the highest first: two of the highest, equally far, at a right angle."""
    finest = _finest(peaks, shape)
    # A longer pattern of a large picture may be the picture.
    return finest >= (_NARROWEST_OF_DOTS if max(shape) <= _LONGEST * 2 * finest else _NARROWEST)


def short_waves(peaks: Sequence[Peak], shape: tuple[int, ...]) -> list[Peak]:
    """Peaks without those that may be the picture, such as bricks or ripples: long waves and their multiples."""
    long = [peak.along_longer(shape) for peak in peaks if peak.distance(shape) < max(shape) / _LONGEST]

    def is_multiple(peak: Peak, of: complex) -> bool:
        wave = peak.along_longer(shape)
        times = round((wave / of).real)
        return times != 0 and abs(wave - times * of) <= _SQUARE[0]

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
        paint(kept, Stroke("notch", (peak.point,), min(peak.distance(shape) / 2, _FAR * max(shape)), softness=0.5))
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
        first, second = one.along_longer(shape), other.along_longer(shape)
        # A quarter turn of one is the other, or its mirror image.
        if min(abs(second - 1j * first), abs(second + 1j * first)) <= _SQUARE[0] + _SQUARE[1] * abs(first):
            found.append(min(abs(first), abs(second)) / 2)
    return min(found, default=0.0)


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
    return np.exp(level) / _MEDIAN * np.maximum(distance, 1) ** slope


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


def unclipped(plane: np.ndarray, waves: np.ndarray) -> np.ndarray:
    """A plane, 0 to 1, with waves over it, unclipped: at 0 and 1 the possible value nearest to its neighbours' mean."""
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
    from the magnitudes of the spectrum [rows, columns], FFT order, without a window, of what is left. More than the
    picture's power around a wave is noise (Wiener filter).
    """
    shape = magnitudes.shape
    over = np.square(magnitudes, dtype=np.float64) / _expected(magnitudes, distances(shape))
    noise = np.zeros(shape, np.float32)
    for peak in peaks:
        bins, away, reach = _around(peak, shape)
        part, inside = over[bins], away < reach
        beyond = part[(away >= reach) & (away < _BEYOND * reach)]
        usual = max(1.0, float(np.median(beyond)) / _MEDIAN) if beyond.size else 1.0
        levels = np.maximum(_falling_levels(part[inside], away[inside], reach) - _OVER * usual, 0)
        noise[bins] = np.maximum(noise[bins], np.where(inside, np.interp(away, np.arange(len(levels)), levels), 0))
    return mirrored(1 / (1 + noise))


def _expected(magnitudes: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """The power that a picture has in each bin by its distance from the zero frequency."""
    return ring_medians(magnitudes, distance) ** 2 / _MEDIAN


def _falling_levels(power: np.ndarray, away: np.ndarray, reach: float) -> np.ndarray:
    """The mean power of rings one cycle wide, from medians but for the smallest; none is higher than the one before."""
    order = np.argsort(away, kind="stable")
    rings = np.split(power[order], np.searchsorted(away[order], np.arange(1, int(np.ceil(reach)))))
    levels = [
        (float(np.median(ring)) / _MEDIAN if ring.size > 2 else float(ring.mean())) if ring.size else np.inf
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
