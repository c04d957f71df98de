"""A running sea against its theory: numbers with bands, spectra, and the dispersion of its waves; all in numpy.

What is read from the GPU are heights at two moments close to each other. A single moment cannot tell a wave from one
that runs the other way; two can: h(k, t) = a exp(-i w t) + b exp(+i w t) is solved for a, the wave that runs towards k.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glfft.sea import foam, spectra, waves
from glfft.sea.fields import surface_spectrum
from glfft.sea.settings import OceanSettings
from glfft.sea.waves import Array, ComplexArray

_DEVIATIONS = 3.0  # bands are so many standard deviations of what seeds do
# Fields in half precision: each is off by at most 2^-10 of itself where a driver cuts off, its square by twice that.
_HALF = 2.0**-9
_FLAT = 1e-12  # m², of the height: a sea with less is flat
_COVER_FACTOR, _FEW = 2.0, 5e-4  # the cover of one tile at one moment varies; see docs/sea.md
_ROUNDING = 1e-6  # a share of the strongest wave's power: weaker waves may be what half precision leaves
_BINS_AN_OCTAVE, _BANDS, _DIRECTIONS = 4, 16, 36  # of spectra; of polar ones
_LEAST_TURN, _MOST_TURN = 0.02, 1.0  # rad between the moments: with less waves have no direction, with more no speed


@dataclass(frozen=True)
class Check:
    """A number of the sea in a unit, the expected one, and the band from `low` to `high` that it should lie in."""

    name: str
    unit: str
    found: float
    expected: float
    low: float
    high: float

    @property
    def passed(self) -> bool:
        """Whether the number lies in its band."""
        return self.low <= self.found <= self.high

    def __str__(self) -> str:
        """A line for people: verdict, name, number, band."""
        numbers = self.found, self.low, self.high
        found, low, high = (f"{each:.3g}" if abs(each) < 999.5 else f"{each:.0f}" for each in numbers)
        return f"{'pass' if self.passed else 'FAIL'}  {self.name} {f'{found} {self.unit}'.rstrip()}  ({low} to {high})"


@dataclass(frozen=True)
class Snapshot:
    """A sea at two moments: heights, m, [2, tiles, N, N]; the second's slopes, [tiles, N, N, 2], and mean foam."""

    tiles: tuple[OceanSettings, ...]
    times: tuple[float, float]  # s
    heights: Array
    slopes: Array
    cover: float  # of the first tile


@dataclass(frozen=True)
class Spectrum:
    """The omnidirectional spectrum in bands of a quarter octave: the middle of each, rad/m, its density measured and by
    theory, m² per rad/m (NaN without a wave), and the tile with most of its waves.
    """

    wavenumber: Array
    measured: Array
    theory: Array
    tile: NDArray[np.int64]


@dataclass(frozen=True)
class PolarSpectrum:
    """Energy over frequency and direction (to), m² a cell, [bands, directions], with the edges of cells, Hz and rad."""

    frequency: Array
    direction: Array
    measured: Array
    theory: Array


def validate(snapshot: Snapshot) -> list[Check]:
    """Height, peak period, slopes, direction, speed, whitecaps, Parseval's sum, and the leak between packed fields.

    Bands are three standard deviations over seeds, from the spectrum; the last two are what half precision leaves.
    """
    tiles, apart = _tiles(snapshot), snapshot.times[1] - snapshot.times[0]
    variance = sum(float((np.abs(tile.after) ** 2).sum() - abs(tile.after[0, 0]) ** 2) for tile in tiles)
    height, height_spread = _sum_and_spread([tile.energy for tile in tiles])
    steepness = float((snapshot.slopes**2).sum(axis=-1).mean(axis=(1, 2)).sum())
    slope, slope_spread = _sum_and_spread([tile.energy * (tile.k.x**2 + tile.k.z**2) for tile in tiles])
    law = foam.whitecap_cover(snapshot.tiles[0].wind)
    least = law / _COVER_FACTOR if law > _FEW else 0.0  # a tile may have none of so few whitecaps
    most = min(1.0, max(law * _COVER_FACTOR, _FEW))
    exact = [surface_spectrum(tile, snapshot.times[1]) for tile in snapshot.tiles]
    total = sum(float((np.abs(each) ** 2).sum()) for each in exact)
    parseval = abs(variance / total - 1) if total > _FLAT else 0.0
    return [
        _banded("wave height", "m", 4 * math.sqrt(variance), 4 * math.sqrt(height), height_spread / 2),
        _peak_period(snapshot),
        _banded("mean square slope", "", steepness, slope, slope_spread),
        _direction(tiles, apart),
        _speed(tiles, apart),
        Check("whitecaps", "%", 100 * snapshot.cover, 100 * law, 100 * least, 100 * most),
        Check("Parseval", "", parseval, 0.0, 0.0, _HALF),
        Check("packed pairs", "", _leak(tiles), 0.0, 0.0, _HALF),
    ]


def spectrum(snapshot: Snapshot) -> Spectrum:
    """The spectrum of wave numbers, measured at the second moment and by theory."""
    tiles = [(tile, tile.energy > 0) for tile in _tiles(snapshot)]
    bands = [np.floor(_BINS_AN_OCTAVE * np.log2(tile.k.length[some])).astype(np.int64) for tile, some in tiles]
    together = np.concatenate(bands)
    if not together.size:
        return Spectrum(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64))
    first, last = int(together.min()), int(together.max())
    count = last - first + 1
    measured, theory, modes = np.zeros(count), np.zeros(count), np.zeros((len(tiles), count))
    for index, ((tile, some), band) in enumerate(zip(tiles, bands, strict=True)):
        measured += np.bincount(band - first, np.abs(tile.after[some]) ** 2, count)
        theory += np.bincount(band - first, tile.energy[some], count)
        modes[index] = np.bincount(band - first, minlength=count)
    edges = 2.0 ** (np.arange(first, last + 2) / _BINS_AN_OCTAVE)
    width = np.where(modes.any(axis=0), np.diff(edges), np.nan)
    return Spectrum(np.sqrt(edges[1:] * edges[:-1]), measured / width, theory / width, modes.argmax(axis=0))


def polar_spectrum(snapshot: Snapshot) -> PolarSpectrum:
    """Energy over frequency and direction; bands of frequency are even from 0 to three times the peak's."""
    highest = 3 * waves.peak_frequency(snapshot.tiles[0]) / (2 * math.pi)
    frequency, direction = np.linspace(0, highest, _BANDS + 1), np.linspace(-math.pi, math.pi, _DIRECTIONS + 1)
    measured, theory = (np.zeros((_BANDS, _DIRECTIONS)) for _ in range(2))
    for tile in _tiles(snapshot):
        some = tile.k.used
        places = tile.frequency[some] / (2 * math.pi), np.arctan2(tile.k.z, tile.k.x)[some]
        energy = _running(tile, snapshot.times[1] - snapshot.times[0])
        for total, weights in ((measured, energy), (theory, tile.energy)):
            total += np.histogram2d(*places, bins=(frequency, direction), weights=np.nan_to_num(weights[some]))[0]
    return PolarSpectrum(frequency, direction, measured, theory)


def dispersion(tile: OceanSettings, lines: Array, times: Sequence[float], frequencies: Array) -> tuple[Array, Array]:
    """The power of each frequency, rad/s, in the waves along one axis: its ridge is the dispersion relation.

    Lines are heights along the axis, means over the other one, m, [times, N], at times, s, at any distances. Returns
    wave numbers from 2 pi / tile up, rad/m, [N/2 - 1], and the power, [frequencies, N/2 - 1], at most 1 for each wave
    number, and 0 where it may be rounding. Waves of both directions count alike.
    """
    modes = np.fft.fft(np.asarray(lines, dtype=np.float64), axis=1)[:, 1 : tile.size // 2]
    turning = np.exp(1j * np.outer(frequencies, np.asarray(times))) * np.hanning(len(times) + 2)[1:-1]
    power = np.abs(turning @ modes) ** 2 + np.abs(np.conj(turning) @ modes) ** 2
    most = power.max(axis=0)
    power[:, most < _ROUNDING * most.max()] = 0
    wavenumber = 2 * math.pi / tile.tile * np.arange(1, tile.size // 2, dtype=np.float64)
    return wavenumber, power / np.where(most > 0, most, 1.0)


@dataclass(frozen=True)
class _Tile:
    """A tile, [N, N] each: waves, their mean variance, m², frequencies, both spectra of the heights, m, and slopes."""

    k: waves.WaveVectors
    energy: Array
    frequency: Array
    before: ComplexArray
    after: ComplexArray
    slopes: Array


def _tiles(snapshot: Snapshot) -> list[_Tile]:
    tiles = []
    for tile, heights, slopes in zip(snapshot.tiles, snapshot.heights.swapaxes(0, 1), snapshot.slopes, strict=True):
        before, after = (np.fft.fft2(height, norm="forward") for height in heights)
        energy = waves.energy_density(tile) * (2 * math.pi / tile.tile) ** 2
        k = waves.wave_vectors(tile.size, tile.tile)
        tiles.append(_Tile(k, energy, waves.frequencies(tile), before, after, slopes))
    return tiles


def _sum_and_spread(parts: Sequence[Array]) -> tuple[float, float]:
    """The mean of a sum over random waves, and its relative standard deviation over seeds.

    A wave vector and its mirror image share one complex normal number h, whose |h|² has the standard deviation of its
    mean P; the sum over both is 2 |h|².
    """
    total = sum(float(each.sum()) for each in parts)
    squares = sum(float((((each + waves.mirrored(each)) / 2) ** 2).sum()) / 2 for each in parts)
    return total, 2 * math.sqrt(squares) / total if total > 0 else 0.0


def _banded(name: str, unit: str, found: float, expected: float, spread: float) -> Check:
    reach = max(_DEVIATIONS * spread * expected, math.sqrt(_FLAT))
    return Check(name, unit, found, expected, expected - reach, expected + reach)


def _peak_period(snapshot: Snapshot) -> Check:
    """The period of the band with most energy; it may be as far off as the bands with half of theory's largest are."""
    bands = spectrum(snapshot)
    k = bands.wavenumber  # times a factor, the width of each band
    if not len(k):
        return Check("peak period", "s", 0.0, 0.0, 0.0, 0.0)
    periods = 2 * math.pi / spectra.angular_frequency(k, snapshot.tiles[0].depth)
    found, theory = (np.nan_to_num(each * k) for each in (bands.measured, bands.theory))
    near = np.flatnonzero(theory > theory.max() / 2)
    edge = 2.0 ** (0.5 / _BINS_AN_OCTAVE)
    least, most = float(periods[near].min()) / edge, float(periods[near].max()) * edge
    return Check("peak period", "s", float(periods[found.argmax()]), float(periods[theory.argmax()]), least, most)


def _running(tile: _Tile, apart: float) -> Array:
    """|a|² of each wave vector, twice, so that its sum is the variance; NaN where the two moments cannot tell."""
    turned = tile.frequency * apart
    solvable = np.abs(np.sin(turned)) > _LEAST_TURN
    # a exp(-i w t) at the first moment, from both.
    a = (tile.before * np.exp(1j * turned) - tile.after) / np.where(solvable, 2j * np.sin(turned), 1.0)
    return np.where(solvable, 2 * np.abs(a) ** 2, np.nan)


def _direction(tiles: Sequence[_Tile], apart: float) -> Check:
    towards, expected, parts = 0j, 0j, []
    for tile in tiles:
        unit = np.where(tile.k.used, (tile.k.x + 1j * tile.k.z) / tile.k.length, 0)
        running = _running(tile, apart)
        known = ~np.isnan(running)
        towards += complex((np.where(known, running, 0) * unit).sum())
        expected += complex((tile.energy * unit)[known].sum())
        parts.append((tile.energy[known], unit[known]))
    if abs(expected) < _FLAT:
        return Check("direction", "°", 0.0, 0.0, 0.0, 0.0)
    middle = math.degrees(np.angle(expected))
    across = np.conj(expected) / abs(expected)
    spread = sum(float((energy**2 * (unit * across).imag ** 2).sum()) for energy, unit in parts)
    reach = math.degrees(_DEVIATIONS * math.sqrt(spread) / abs(expected)) + 0.5
    found = middle + math.degrees(np.angle(towards * np.conj(expected)))
    return Check("direction", "°", found, middle, middle - reach, middle + reach)


def _speed(tiles: Sequence[_Tile], apart: float) -> Check:
    """How fast the phases of the waves turn between the two moments, of what the dispersion relation says.

    With A the wave that runs towards k, and B the one against it, half-way between the moments: the difference of the
    two is 2 sin(w t / 2) |A - B| and their sum 2 cos(w t / 2) |A + B|. The absolute squares of A - B and A + B agree
    but for 4 Re(A conj B), which is 0 on average.
    """
    turned, expected, scatter = 0.0, 0.0, 0.0
    for tile in tiles:
        angle, energy = tile.frequency * apart, tile.energy
        some = (energy > 0) & (angle < _MOST_TURN)
        square = np.tan(angle[some] / 2) ** 2
        turned += float((np.abs(tile.after - tile.before)[some] ** 2).sum())
        expected += float((square * np.abs(tile.after + tile.before)[some] ** 2).sum())
        # The variance of 16 sin² Re(A conj B), mean |A|² = energy / 2, is 32 sin⁴ energy(k) energy(-k) for a pair.
        scatter += 64 * float(((energy * waves.mirrored(energy))[some] * np.sin(angle[some] / 2) ** 4).sum())
    if expected < _FLAT**2:
        return Check("wave speed", "", 1.0, 1.0, 0.0, math.inf)
    reach = _DEVIATIONS * math.sqrt(scatter) / expected / 2 + _HALF
    return Check("wave speed", "", math.sqrt(turned / expected), 1.0, 1 - reach, 1 + reach)


def _leak(tiles: Sequence[_Tile]) -> float:
    """How far heights are from -i k.s / |k|², s being the slopes, relative: leaks between packed pairs show here."""
    error, total = 0.0, 0.0
    for tile in tiles:
        k, (x, z) = tile.k, np.fft.fft2(np.moveaxis(tile.slopes, -1, 0), norm="forward")
        error += float((np.abs(-1j * (k.x * x + k.z * z) / k.length**2 - tile.after)[k.used] ** 2).sum())
        total += float((np.abs(tile.after)[k.used] ** 2).sum())
    return math.sqrt(error / total) if total > _FLAT else 0.0
