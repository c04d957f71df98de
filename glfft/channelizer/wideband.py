"""A synthetic wideband signal: stations of several kinds side by side, in noise."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from glfft.errors import at_least_one


@dataclass(frozen=True)
class Station:
    """A transmission. Frequencies are parts of the sample rate, from -0.5 to 0.5; times are in samples."""

    # "tone", "fm" (a tone that swings), "sweep" (across its width), "qpsk" (symbols at the rate of its width), or
    # "hops" (bursts at one of eight places in its width)
    kind: str
    frequency: float  # in the middle
    width: float  # of what it takes
    amplitude: float  # of its carrier
    period: float  # of a swing, a sweep, or a burst


# Within one channel of 256.
NARROW = Station("qpsk", 8 / 256, 0.0025, 0.04, 0.0)

STATIONS = (
    Station("tone", -0.43, 0.0, 0.06, 1.0),
    Station("fm", -0.34, 0.05, 0.12, 90_000.0),
    Station("qpsk", -0.21, 0.045, 0.2, 0.0),
    Station("sweep", -0.07, 0.12, 0.08, 260_000.0),
    NARROW,
    Station("hops", 0.15, 0.16, 0.1, 22_000.0),
    Station("qpsk", 0.29, 0.02, 0.1, 0.0),
    Station("fm", 0.36, 0.02, 0.08, 31_000.0),
    Station("fm", 0.44, 0.06, 0.05, 150_000.0),
)

# Of real and imaginary part.
_NOISE = 0.002


class Wideband:
    """A signal of stations in noise, without end, the same for the same seed and blocks.

    Args:
        block: samples of an array.
        stations: what is in it.
        seed: of noise and symbols.
    """

    def __init__(self, block: int = 1 << 16, stations: tuple[Station, ...] = STATIONS, seed: int = 0) -> None:
        self._block = at_least_one("block", block)
        self._stations = stations
        self._seed = seed

    def __iter__(self) -> Iterator[npt.NDArray[np.complex64]]:
        generator = np.random.default_rng(self._seed)
        # Hops and symbols come from the numbers of their places in time, so that blocks do not matter to them.
        first = 0
        while True:
            n = np.arange(first, first + self._block, dtype=np.float64)
            signal = generator.standard_normal((self._block, 2), np.float32).view(np.complex64)[:, 0]
            signal *= np.float32(_NOISE)
            for index, station in enumerate(self._stations):
                carrier = _turns(station.frequency * n)
                carrier *= np.float32(station.amplitude)
                signal += _modulated(carrier, station, n, self._seed + index)
            yield signal
            first += self._block


def _turns(phase: npt.NDArray[np.float64]) -> npt.NDArray[np.complex64]:
    """exp(2 pi i phase), from phases reduced before they are rounded to float32."""
    angle = (phase - np.floor(phase)).astype(np.float32) * np.float32(2 * np.pi)
    found = np.empty(len(angle), np.complex64)
    np.cos(angle, out=found.real)
    np.sin(angle, out=found.imag)
    return found


def _modulated(
    carrier: npt.NDArray[np.complex64], station: Station, n: npt.NDArray[np.float64], seed: int
) -> npt.NDArray[Any]:
    """A carrier with what a station sends."""
    width, period = station.width, station.period
    if station.kind == "fm":
        return carrier * _turns(-width / 2 * period / (2 * np.pi) * np.cos(2 * np.pi / period * n))
    if station.kind == "sweep":
        # Up and down again: the frequency is a triangle, and the phase its integral.
        place = n / period % 1.0
        risen = np.where(place < 0.5, place**2, 0.5 - (1.0 - place) ** 2)
        return carrier * _turns(period * width * (risen - place / 2))
    if station.kind == "hops":
        burst = np.floor(n / period)
        inside = n - burst * period
        place = _scrambled(burst, seed) % 8
        fade = np.clip(np.minimum(inside, period * 0.8 - inside) / 500.0, 0.0, 1.0).astype(np.float32)
        return carrier * _turns((place - 3.5) / 8 * width * inside) * fade
    if station.kind == "qpsk":
        # From symbol to symbol along half a cosine: enough for a picture.
        place = n * width
        symbol = np.floor(place)
        first = int(symbol[0])
        known = _POINTS[_scrambled(np.arange(first, int(symbol[-1]) + 2), seed) % 4]
        index = (symbol - first).astype(np.intp)
        share = (0.5 - 0.5 * np.cos(np.pi * (place - symbol))).astype(np.float32)
        return carrier * (known[index] * (1 - share) + known[index + 1] * share)
    return carrier


# Of QPSK.
_POINTS = np.exp(2j * np.pi * (np.arange(4) / 4 + 0.125)).astype(np.complex64)


def _scrambled(numbers: npt.NDArray[Any], seed: int) -> npt.NDArray[np.uint64]:
    """A number that looks random for each whole number (the finaliser of SplitMix64, Steele et al. 2014)."""
    z = numbers.astype(np.uint64) + np.uint64((seed + 1) * 0x9E3779B97F4A7C15 % (1 << 64))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
