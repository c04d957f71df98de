"""A wave spectrum as a buoy measures it: density, direction and spread in bands of frequency."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glfft.errors import DataError
from glfft.sea import spectra

Array = NDArray[np.float64]

_USUAL_SPREAD = math.radians(30.0)  # where a spectrum has a direction and no spread, rad

# Above the last frequency densities fall as f^-5, or faster where more than this share of the variance would be there.
_TAIL = 5.0
_LARGEST_SHARE_OF_TAIL = 0.01

# No sea has larger numbers: they are in another unit, or not of waves.
_LARGEST_HEIGHT = 100.0  # m
_PEAK_PERIODS = 0.1, 1000.0  # s
_LARGEST_R = 0.9995  # a distribution narrower than this is a single direction to all grids


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
        count = len(self.frequency)
        for name, entries in vars(self).items():
            if len(entries) not in (count, 0):
                raise DataError(f"The spectrum has {count} frequencies and {len(entries)} of {name}.")
        finite = all(math.isfinite(value) for entries in vars(self).values() for value in entries)
        frequency, density = np.asarray(self.frequency), np.asarray(self.density)
        if count < 2 or len(density) != count or not finite:
            needs = "at least two frequencies, a density for each, and numbers that are finite"
            raise DataError(f"A spectrum needs {needs}.")
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
    def of(cls, **columns: Array | None) -> Self:
        """From arrays, [bands] each, by the names of the attributes; None where nothing was measured."""
        return cls(**{name: tuple(map(float, each)) for name, each in columns.items() if each is not None})

    @classmethod
    def of_moments(
        cls, frequency: Array, density: Array, first: NDArray[np.complex128], second: NDArray[np.complex128]
    ) -> Self:
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
        most entropy (Lygre and Krogstad 1986); with the first alone it is that of Longuet-Higgins.
        """
        f = np.asarray(frequency, dtype=np.float64) / (2 * math.pi)
        r1 = np.array(self.r1) if self.r1 else np.full(len(self.frequency), 1 - _USUAL_SPREAD**2 / 2)
        first = np.interp(f, self.frequency, np.minimum(r1, _LARGEST_R) * np.exp(1j * np.array(self.direction)))
        theta = np.asarray(theta, dtype=np.float64)
        length = np.minimum(np.abs(first), _LARGEST_R)
        simple = spectra.longuet_higgins(spectra.wrapped(theta - np.angle(first)), length / (1 - length))
        if not (self.r2 and self.direction2):
            return simple
        second = np.interp(f, self.frequency, np.minimum(self.r2, _LARGEST_R) * np.exp(2j * np.array(self.direction2)))
        phi1 = (first - second * np.conj(first)) / (1 - np.abs(first) ** 2)
        phi2 = second - first * phi1
        height = (1 - phi1 * np.conj(first) - phi2 * np.conj(second)).real
        poles = np.abs(1 - phi1 * np.exp(-1j * theta) - phi2 * np.exp(-2j * theta)) ** 2
        # Moments with noise may belong to no distribution.
        possible = (np.abs(phi2) < 1) & (height > 0)
        return np.where(possible, np.maximum(height, 0.0) / np.maximum(poles, 1e-12) / (2 * math.pi), simple)
