"""Stripes and moire: waves that lie over a picture. They are fitted and subtracted, and not cut out of the spectrum: a
picture is not periodic in them, so that each wave reaches over whole rows and columns of the spectrum.

What is left around a wave's frequency, because the wave is not as high everywhere, a Wiener filter takes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from glfft.apps.spectrum.peaks import MEDIAN, Peak, distances, near, ring_medians
from glfft.apps.spectrum.strokes import Point, mirrored

_NEAR = 2  # the clean value of a clipped pixel is looked for up to so many pixels away
_MEET = 4  # a peak is not told from its mirror image as near as this, in bins: the main lobes of the Hann window meet
# Around a wave, up to this share of the longer side's cycles and half way to the zero frequency, power goes that is
# so many times over the picture's.
_FAR, _OVER = 1 / 10, 3.0
_BEYOND = 1.4  # what is farther than that, up to so many times as far, shows the picture's power there


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
    if all(
        min(2 * cycles % length, -2 * cycles % length) <= _MEET
        for cycles, length in zip(peak.point, spectrum.shape, strict=True)
    ):
        return Wave(peak.point, 0j)
    place = (int(peak.point[0]), int(peak.point[1]))
    top = abs(spectrum[place])
    point, response = [], 1.0 + 0j
    for axis, (cycles, length) in enumerate(zip(place, spectrum.shape, strict=True)):
        before, after = (
            float(abs(np.take(np.take(spectrum, place[1 - axis], 1 - axis), cycles + step, mode="wrap")))
            for step in (-1, 1)
        )
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
    rows, columns = magnitudes.shape
    power = np.zeros((rows, columns), np.float32)
    for wave in waves:
        for sign in (1, -1):
            down, across = _leakage(sign * wave.point[0], rows), _leakage(sign * wave.point[1], columns)
            power += abs(wave.amplitude) ** 2 * down[:, None] * across[None, :]
    expected = _expected(magnitudes)
    return mirrored(expected / (expected + power))


def unclipped(plane: np.ndarray, waves: np.ndarray) -> np.ndarray:
    """A plane [rows, columns], 0 to 1, with waves over it, before it was clipped: where it is 0 or 1, the possible
    value nearest to the mean of what is known of its neighbours.
    """
    low, high = plane <= 0, plane >= 1
    known = ~(low | high)
    clean, count = np.where(known, plane - waves, 0), known.astype(np.float32)
    for axis in (0, 1):
        clean, count = near(clean, _NEAR, axis, np.add), near(count, _NEAR, axis, np.add)
    clean = np.where(count > 0, clean / np.maximum(count, 1), plane)
    darker = np.minimum(np.clip(clean, 0, 1) + waves, 0)
    lighter = np.maximum(np.clip(clean, 0, 1) + waves, 1)
    return np.where(low & (waves < 0), darker, np.where(high & (waves > 0), lighter, plane))


def picture_shares(magnitudes: np.ndarray, peaks: Sequence[Peak]) -> np.ndarray:
    """Which share of each frequency is the picture after waves of these peaks were subtracted: float32 [rows, columns],
    from magnitudes as of `unwaved_shares`. More than the picture's power around a wave is noise (Wiener filter).
    """
    shape = magnitudes.shape
    over = np.square(magnitudes, dtype=np.float64) / _expected(magnitudes)
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


def _expected(magnitudes: np.ndarray) -> np.ndarray:
    """The power that a picture has in each bin by its distance from the zero frequency."""
    return ring_medians(magnitudes, distances(magnitudes.shape)) ** 2 / MEDIAN


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
    longer = max(shape)
    units = [longer / length for length in shape]
    reach = min(peak.distance(shape) / 2, _FAR * longer)
    steps = []
    for length, unit in zip(shape, units, strict=True):
        most = min(int(_BEYOND * reach / unit) + 1, (length - 1) // 2)
        steps.append(np.arange(-most, most + 1))
    away = np.hypot((steps[0] * units[0])[:, None], (steps[1] * units[1])[None, :])
    rows, columns = (
        (step + int(cycles)) % length for step, cycles, length in zip(steps, peak.point, shape, strict=True)
    )
    return (rows[:, None], columns[None, :]), away, reach


def _leakage(cycles: float, length: int) -> np.ndarray:
    """The power of exp(2 pi i cycles x / length) in each bin, FFT order."""
    apart = np.fft.fftfreq(length, 1 / length) - cycles
    below = np.square(length * np.sin(np.pi * apart / length))
    return np.where(
        below > 1e-12, np.square(length * np.sin(np.pi * apart)) / np.maximum(below, 1e-12), float(length) ** 2
    ).astype(np.float32)
