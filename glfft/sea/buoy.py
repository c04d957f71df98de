"""A buoy in the simulated sea: time series at points, and their spectrum by the analysis that real buoys use."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glfft.errors import ShapeError
from glfft.sea.measured import MeasuredSpectrum

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BuoySpectrum:
    """A buoy's frequencies, Hz, densities, m²/Hz, and moments a1 + i b1, a2 + i b2 of where waves run to, [bands]."""

    frequency: Array
    density: Array
    first: NDArray[np.complex128]
    second: NDArray[np.complex128]

    @property
    def significant_height(self) -> float:
        """4 sqrt of the variance in all bands, m."""
        return 4 * math.sqrt(float(self.density.sum()) * float(self.frequency[1] - self.frequency[0]))

    @property
    def peak_period(self) -> float:
        """The period of the band with the largest density, s."""
        return 1 / float(self.frequency[int(np.argmax(self.density))])

    @property
    def direction(self) -> Array:
        """Mean direction where waves run to, rad, [bands]."""
        return np.angle(self.first)

    @property
    def spread(self) -> Array:
        """sqrt(2 (1 - r1)), rad, [bands]."""
        return np.sqrt(2 * np.maximum(0.0, 1 - np.abs(self.first)))

    @property
    def mean_direction(self) -> float:
        """The direction of all waves, weighted by their energy, rad."""
        return float(np.angle((self.first * self.density).sum()))

    @property
    def mean_spread(self) -> float:
        """The spread of all waves, weighted by their energy, rad."""
        return math.sqrt(2 * (1 - abs((self.first * self.density).sum()) / float(self.density.sum())))

    def measured(self) -> MeasuredSpectrum:
        """The spectrum as a sea may be made of it."""
        return MeasuredSpectrum.of_moments(self.frequency, self.density, self.first, self.second)


def analyse(height: ArrayLike, dx: ArrayLike, dz: ArrayLike, rate: float, segment: float = 200.0) -> BuoySpectrum:
    """The spectrum of the motion of points of the surface, by Welch's method and the first five moments.

    Segments overlap by half under a Hann window (Welch 1967). The moments are those of a buoy that measures its
    displacement (Longuet-Higgins, Cartwright and Smith 1963; Kuik et al. 1988): with co- and quad-spectra C and Q, and
    E = Cxx + Czz, a1 = Qhx / sqrt(Chh E), b1 = Qhz / sqrt(Chh E), a2 = (Cxx - Czz) / E, b2 = 2 Cxz / E.

    The three series are in m, [time] or [time, points], `rate` samples per second; spectra of points are averaged. A
    band is as wide as the inverse of a segment's length, s. Raises ShapeError if the series differ in shape, or are
    shorter than a segment.
    """
    series = [np.asarray(each, dtype=np.float64) for each in (height, dx, dz)]
    samples = round(segment * rate)
    if len({each.shape for each in series}) > 1 or series[0].ndim not in (1, 2) or not 8 <= samples <= len(series[0]):
        raise ShapeError(
            f"The series have shapes {', '.join(str(each.shape) for each in series)} and must have one shape, [time] "
            f"or [time, points], with at least a segment of {samples} samples, which must be 8 or more."
        )
    points = np.stack(series).reshape(3, len(series[0]), -1)
    window = (0.5 - 0.5 * np.cos(2 * math.pi * np.arange(samples) / samples))[:, None]
    starts = range(0, len(series[0]) - samples + 1, samples // 2)
    cross = np.zeros((3, 3, samples // 2 + 1), dtype=np.complex128)
    for start in starts:
        part = points[:, start : start + samples]
        lines = np.fft.rfft(window * (part - part.mean(axis=1, keepdims=True)), axis=1)
        cross += np.einsum("afp,bfp->abf", lines.conj(), lines, optimize=True) / lines.shape[2]
    cross *= 2 / (len(starts) * rate * float((window**2).sum()))
    hh, xx, zz = (cross[index, index].real for index in range(3))
    horizontal = np.maximum(xx + zz, 1e-300)
    # A wave's phase falls with time: a point under exp(i (k.x - w t)) has moved against the quadrature of numpy's sign.
    first = (cross[0, 1].imag + 1j * cross[0, 2].imag) / np.sqrt(np.maximum(hh, 1e-300) * horizontal)
    second = (xx - zz + 2j * cross[1, 2].real) / horizontal
    frequency = np.arange(samples // 2 + 1, dtype=np.float64) * (rate / samples)
    return BuoySpectrum(frequency, hh, -first, second)
