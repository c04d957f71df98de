"""A wave spectrum as a buoy measures it, in bands of frequency, and the analysis of a buoy in the simulated sea."""

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from glfft.errors import DataError, ShapeError, real_number
from glfft.sea.spectra import Array, ComplexArray, longuet_higgins, wrapped

_USUAL_SPREAD = math.radians(30.0)  # where a spectrum has a direction and no spread, rad

# Above the last frequency densities fall as f^-5, or faster where more than this share of the variance would be there.
_TAIL, _LARGEST_SHARE_OF_TAIL = 5.0, 0.01

# No sea has larger numbers: they are in another unit, or not of waves.
_LARGEST_HEIGHT, _PEAK_PERIODS = 100.0, (0.1, 1000.0)  # m, s
_LARGEST_R = 0.9995  # a distribution narrower than this is a single direction to all grids
_LARGEST_R_OF_TWO = 0.98  # beyond, the distribution of most entropy has two peaks that would pass between waves


@dataclass(frozen=True)
class MeasuredSpectrum:
    """Waves as they were measured, with one entry per frequency in each tuple.

    Attributes:
        frequency: Hz, rising.
        density: variance density of the height, m²/Hz.
        direction: mean direction where the waves run **to**, rad from +x towards +z; empty where none was measured.
        r1: length of the first moment of the directions, 0 to 1; the spread is sqrt(2 (1 - r1)), or 30 degrees without.
        direction2, r2: direction of the second moment, rad, and its length; or empty.

    Raises DataError if the tuples disagree in length, frequencies do not rise, a value is out of range, the significant
    wave height is over 100 m, or the peak's period not from 0.1 to 1000 s.
    """

    frequency: tuple[float, ...]
    density: tuple[float, ...]
    direction: tuple[float, ...] = ()
    r1: tuple[float, ...] = ()
    direction2: tuple[float, ...] = ()
    r2: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        try:
            columns = {name: tuple(map(float, entries)) for name, entries in vars(self).items()}
        except (TypeError, ValueError, OverflowError):
            raise DataError("A spectrum takes a sequence of numbers for each of its columns; give tuples.") from None
        frequency, density = np.array(columns["frequency"]), np.array(columns["density"])
        count = len(frequency)
        for name, entries in columns.items():
            object.__setattr__(self, name, entries)
            if len(entries) not in (count, 0):
                raise DataError(f"The spectrum has {count} frequencies and {len(entries)} of {name}.")
        if count < 2 or len(density) != count or not all(np.isfinite(each).all() for each in vars(self).values()):
            raise DataError("A spectrum needs at least two frequencies, a density for each, and finite numbers.")
        if frequency[0] <= 0 or not np.all(np.diff(frequency) > 0):
            raise DataError("The frequencies of a spectrum must rise from above 0 Hz.")
        if density.min() < 0 or not density.any():
            raise DataError("The densities of a spectrum must not be negative, nor all of them 0.")
        if any(not 0 <= value <= 1 for value in (*self.r1, *self.r2)):
            raise DataError("The moments r1 and r2 of a spectrum's directions must be from 0 to 1.")
        if not (height := self.significant_height) <= _LARGEST_HEIGHT:
            said = f"The spectrum's significant wave height is {height:.3g} m, over {_LARGEST_HEIGHT:g} m"
            raise DataError(f"{said}; the densities must be in m²/Hz.")
        (shortest, longest), peak = _PEAK_PERIODS, self.peak_frequency
        if not shortest <= 1 / peak <= longest:
            said = f"The spectrum's peak is at {peak:.3g} Hz, a period of {1 / peak:.3g} s"
            raise DataError(f"{said}; it must be from {shortest:g} to {longest:g} s, with frequencies in Hz.")

    @classmethod
    def of(cls, **columns: Any) -> Self:
        """From arrays, [bands] each, by the names of the attributes; None where nothing was measured."""
        return cls(**{name: each for name, each in columns.items() if each is not None})

    @classmethod
    def of_moments(cls, frequency: Array, density: Array, first: ComplexArray, second: ComplexArray) -> Self:
        """From the moments a1 + i b1 and a2 + i b2 of where waves run to; a band at 0 Hz is left out."""
        some = frequency > 0
        moments = {"direction": np.angle(first), "r1": np.minimum(np.abs(first), 1)}
        moments |= {"direction2": np.angle(second) / 2, "r2": np.minimum(np.abs(second), 1)}
        columns = {"frequency": frequency, "density": density, **moments}
        return cls.of(**{name: each[some] for name, each in columns.items()})

    @property
    def significant_height(self) -> float:
        """4 sqrt of the variance between the first and the last frequency, m."""
        f, s = np.asarray(self.frequency), np.asarray(self.density)
        with np.errstate(over="ignore"):
            return 4 * math.sqrt(float(((s[1:] + s[:-1]) * np.diff(f)).sum()) / 2)

    @property
    def peak_frequency(self) -> float:
        """Where the density is largest, Hz."""
        return self.frequency[int(np.argmax(self.density))]

    @property
    def directional(self) -> bool:
        """Whether directions were measured."""
        return bool(self.direction)

    def density_at(self, frequency: ArrayLike) -> Array:
        """S, m² s, at rad/s: linear between the bands, above the last as f^-5, or faster for 1 % at most."""
        f = np.asarray(frequency, dtype=np.float64) / (2 * math.pi)
        last = self.frequency[-1]
        inside = np.interp(f, self.frequency, self.density, left=0.0)
        # The integral of a tail of exponent n is S f / (n - 1).
        most = _LARGEST_SHARE_OF_TAIL * self.significant_height**2 / 16
        exponent = max(_TAIL, 1 + self.density[-1] * last / most)
        with np.errstate(under="ignore"):
            tail = inside * (last / np.maximum(f, last)) ** exponent
        return np.where(f > last, tail, inside) / (2 * math.pi)

    def spreading_at(self, theta: ArrayLike, frequency: ArrayLike) -> Array:
        """D at directions in rad, where waves run to, and angular frequencies in rad/s; 1/rad. With both moments it has
        most entropy (Lygre and Krogstad 1986); with the first alone, or very narrow, it is that of Longuet-Higgins.
        """
        f = np.asarray(frequency, dtype=np.float64) / (2 * math.pi)
        r1 = np.array(self.r1) if self.r1 else np.full(len(self.frequency), 1 - _USUAL_SPREAD**2 / 2)
        first = np.interp(f, self.frequency, np.minimum(r1, _LARGEST_R) * np.exp(1j * np.array(self.direction)))
        theta = np.asarray(theta, dtype=np.float64)
        length = np.minimum(np.abs(first), _LARGEST_R)
        simple = longuet_higgins(wrapped(theta - np.angle(first)), length / (1 - length))
        if not (self.r2 and self.direction2):
            return simple
        second = np.interp(f, self.frequency, np.minimum(self.r2, _LARGEST_R) * np.exp(2j * np.array(self.direction2)))
        phi1 = (first - second * np.conj(first)) / (1 - np.abs(first) ** 2)
        phi2 = second - first * phi1
        height = (1 - phi1 * np.conj(first) - phi2 * np.conj(second)).real
        poles = np.abs(1 - phi1 * np.exp(-1j * theta) - phi2 * np.exp(-2j * theta)) ** 2
        possible = (np.abs(phi2) < 1) & (height > 0)  # moments with noise may belong to no distribution
        possible &= length < _LARGEST_R_OF_TWO
        return np.where(possible, np.maximum(height, 0.0) / np.maximum(poles, 1e-12) / (2 * math.pi), simple)


@dataclass(frozen=True)
class BuoySpectrum:
    """A buoy's frequencies, Hz, densities, m²/Hz, and moments a1 + i b1, a2 + i b2 of where waves run to, [bands]."""

    frequency: Array
    density: Array
    first: ComplexArray
    second: ComplexArray

    @property
    def significant_height(self) -> float:
        """4 sqrt of the variance in all bands, m."""
        return 4 * math.sqrt(float(self.density.sum()) * float(self.frequency[1] - self.frequency[0]))

    @property
    def peak_period(self) -> float:
        """The period of the band above 0 Hz with the largest density, s."""
        return 1 / float(self.frequency[int(np.argmax(np.where(self.frequency > 0, self.density, -1.0)))])

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
    band is as wide as the inverse of a segment's length, s. Raises ShapeError if they differ in shape or are shorter.
    """
    series = [np.asarray(each, dtype=np.float64) for each in (height, dx, dz)]
    length = real_number(segment) * real_number(rate)
    samples = round(length) if math.isfinite(length) else 0
    if len({each.shape for each in series}) > 1 or series[0].ndim not in (1, 2) or not 8 <= samples <= len(series[0]):
        found = f"The series have shapes {', '.join(str(each.shape) for each in series)}"
        wanted = f"with at least a segment of {samples} samples, which must be 8 or more"
        raise ShapeError(f"{found} and must have one shape, [time] or [time, points], {wanted}.")
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
    return BuoySpectrum(np.arange(samples // 2 + 1, dtype=np.float64) * (rate / samples), hh, -first, second)
