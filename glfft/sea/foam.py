"""How much of the sea foam covers, and from which compression of the surface on it has to grow for that.

The foam of `SeaMaps` has one free number: the threshold of its growth. Here it is found from the spectrum of a sea, so
that the mean cover is the whitecap cover observed at that wind, whatever waves the grids hold.
"""

import math
from dataclasses import replace
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np

from glfft.sea import waves
from glfft.sea.settings import OceanSettings
from glfft.sea.waves import Array, ComplexArray

_MOST_COVER = 0.9  # the law gives more than the whole sea from 39 m/s on

# Points and moments of the random sea on which growth beyond full cover is measured, and its moments a lifetime.
_POINTS, _MOMENTS, _MOMENTS_A_LIFETIME = 512, 512, 64
_SHORTEST_STEP, _LONGEST_STEP = 1 / 60, 1.0  # s
_ROUNDS, _QUADRATURE_POINTS = 2, 24
_STILL = 1e-6  # the rms of the displacement's gradient below which a surface is flat
_TRIES, _CLOSE = 12, 5e-3  # of the cover


def whitecap_cover(wind: float) -> float:
    """W = 3.84e-6 U^3.41, the sea's share under whitecaps, at most 0.9 (Monahan and O'Muircheartaigh 1980)."""
    return min(_MOST_COVER, 3.84e-6 * wind**3.41)


def threshold_of(tiles: tuple[OceanSettings, ...]) -> float:
    """The foam threshold of a sea with these tiles: its settings', or the one that gives it its `whitecap_cover`. The
    surface is compressed by all tiles together: few tiles, many, coarse and fine have the same cover.
    """
    first = tiles[0]
    if first.foam_threshold is not None:
        return first.foam_threshold
    # Seeds do not change the mean, nor do loops.
    return _calibrated(tuple(replace(each, seed=0, loop=math.inf) for each in tiles))


def repeats(first: OceanSettings, further: OceanSettings) -> int:
    """How often foam repeats a further tile over the first one: about as often as it fits, and prime to the size."""
    if further.tile == first.tile:
        return 1
    fits = first.tile / further.tile
    prime = (each for each in range(1, 2 * math.ceil(fits) + 2 * first.size) if math.gcd(each, first.size) == 1)
    return min(prime, key=lambda each: abs(each - fits))


# Settings that a program goes back to are not solved for again.
@lru_cache(maxsize=64)
def _calibrated(tiles: tuple[OceanSettings, ...]) -> float:
    first = tiles[0]
    frequencies, moments = _moments_of_gradient(tiles, _time_step(first))
    covariance = first.choppiness**2 * moments.sum(axis=0)
    wanted = whitecap_cover(first.wind)
    scale = math.sqrt(max(0.0, np.trace(covariance)))
    growth = first.foam_gain * first.foam_lifetime
    if scale < _STILL or growth == 0:
        return 0.0  # nothing moves, or nothing grows: no threshold makes foam
    least = _random_least_stretch(first, frequencies, moments)
    low, at, high = 1 - 12 * scale, 1 - 1.5 * scale, 1 + 4 * scale
    for _ in range(_TRIES):
        # The mean without a limit is known exactly, from the samples only the share that is left below full cover.
        found = growth * _mean_excess(at, covariance) * _share_below_full(first, least, at)
        low, high = (at, high) if found < wanted else (low, at)
        if abs(found / wanted - 1) < _CLOSE:
            break
        # Newton's method on the logarithm, with the slope of the exact mean, kept inside the bracket.
        excess, beside = (max(1e-300, _mean_excess(at + by * scale, covariance)) for by in (0.0, 0.01))
        slope = math.log(beside / excess) / (0.01 * scale)
        step = math.log(wanted / max(found, 1e-300)) / slope if slope > 0 else math.inf
        at = at + step if low < at + step < high else (low + high) / 2
    return at


def _time_step(settings: OceanSettings) -> float:
    return min(max(settings.foam_lifetime / _MOMENTS_A_LIFETIME, _SHORTEST_STEP), _LONGEST_STEP)


def _moments_of_gradient(tiles: tuple[OceanSettings, ...], step: float) -> tuple[Array, Array]:
    """Frequencies in cycles a step, [bands], and the covariances of (dxx, dzz, dxz) in each, [bands, 3, 3]."""
    bands = _MOMENTS // 2 + 1
    moments = np.zeros((bands, 3, 3))
    for each in tiles:
        k = waves.wave_vectors(each.size, each.tile)
        energy = waves.energy_density(each) * (2 * math.pi / each.tile) ** 2
        some = energy > 0
        parts = [(p / (k.length * np.tanh(k.length * each.depth)))[some] for p in (k.x**2, k.z**2, k.x * k.z)]
        # Waves too fast for the step keep a frequency of their own, as frames show them.
        cycles = waves.frequencies(each)[some] * step / (2 * math.pi)
        cycles = np.abs(cycles - np.rint(cycles))
        band = np.rint(cycles * _MOMENTS).astype(np.int64)
        for a, b in combinations_with_replacement(range(3), 2):
            moments[:, a, b] += np.bincount(band, energy[some] * parts[a] * parts[b], minlength=bands)
    return np.arange(bands) / _MOMENTS, moments + np.triu(moments, 1).swapaxes(1, 2)


def _random_least_stretch(settings: OceanSettings, frequencies: Array, moments: Array) -> Array:
    """The least stretch at points of a random sea with these moments, [moments, points]."""
    values, vectors = np.linalg.eigh(moments)
    lines = np.matmul(vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :], _drawn(len(frequencies)))
    # At the two ends of the spectrum only the real part counts.
    lines[0] *= math.sqrt(2)
    lines[-1] *= math.sqrt(2)
    dxx, dzz, dxz = np.fft.irfft(np.moveaxis(lines, 1, 0), axis=1, norm="forward") / 2
    return 1 + settings.choppiness * (0.5 * (dxx + dzz) - np.hypot(0.5 * (dxx - dzz), dxz))


@lru_cache(maxsize=1)
def _drawn(bands: int) -> ComplexArray:
    """Normal numbers of three fields at the points, the same for every sea, [bands, 3, points]."""
    parts = np.random.Generator(np.random.PCG64(1)).standard_normal((2, bands, 3, _POINTS))
    return parts[0] + 1j * parts[1]


def _mean_excess(threshold: float, covariance: Array) -> float:
    """E max(0, threshold - least stretch), for normal gradients with this covariance of (dxx, dzz, dxz).

    Given half the difference d of dxx and dzz, and dxz, their sum is normal, and the mean over it is known; the mean
    over d and dxz is a Gauss-Hermite sum.
    """
    to_sum_and_rest = np.array([[0.5, 0.5, 0.0], [0.5, -0.5, 0.0], [0.0, 0.0, 1.0]])
    c = to_sum_and_rest @ covariance @ to_sum_and_rest.T
    rest = c[1:, 1:]
    gain = c[0, 1:] @ np.linalg.pinv(rest)
    spread = math.sqrt(max(c[0, 0] - gain @ c[1:, 0], 1e-30))
    values, vectors = np.linalg.eigh(rest)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    nodes, weights = np.polynomial.hermite_e.hermegauss(_QUADRATURE_POINTS)
    x, z = np.meshgrid(nodes, nodes)
    d = root @ np.stack([x.ravel(), z.ravel()])
    beyond = (threshold - 1 + np.hypot(d[0], d[1]) - gain @ d) / spread
    below = np.array([0.5 * math.erfc(-each / math.sqrt(2)) for each in beyond.tolist()])
    mean = spread * (np.exp(-(beyond**2) / 2) / math.sqrt(2 * math.pi) + beyond * below)
    return float(np.outer(weights, weights).ravel() @ mean / (2 * math.pi))


def _share_below_full(settings: OceanSettings, least: Array, threshold: float) -> float:
    """The share of the growth that is left when foam covers no more than everything."""
    kept = math.exp(-_time_step(settings) / settings.foam_lifetime)
    grown = settings.foam_gain * settings.foam_lifetime * (1 - kept) * np.maximum(0.0, threshold - least)
    touched = grown.any(axis=0)
    if not touched.any():
        return 1.0
    grown = grown[:, touched]
    foam, total = np.full(grown.shape[1], min(1.0, grown.mean() / (1 - kept))), 0.0
    for _ in range(_ROUNDS):
        total = 0.0
        for each in grown:
            foam = np.minimum(kept * foam + each, 1.0)
            total += foam.sum()
    return float(total * (1 - kept) / grown.sum())
