"""A sea on several tiles: long waves on the first, shorter ones on each further tile, every wave on one tile only.

Pictures read each tile twice, so that nobody sees it repeat; as readings.glsl does.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np

from glfft.sea import spectra, waves
from glfft.sea.settings import SMALLEST_SIZE_OF_CASCADES, OceanSettings
from glfft.sea.waves import Array

_WAVES_A_TILE = 6  # the longest waves of a further tile fit into it so many times
_SAMPLES_A_WAVE = 4  # where a band ends, its tile still has so many samples a wave
_FINEST_SPACING = 0.01  # m, of the last of several tiles where sizes allow; shorter waves are of surface tension

# A tile that is chosen for its waves holds so many of the peak, and so many of the longest waves that were measured: of
# fewer, the grid has hardly a direction.
_WAVES_OF_PEAK, _LONGEST_WAVES = 12, 4
_LEAST_DENSITY = 0.1  # waves count with a density from this share of the peak's
_FROM_WHOLE = 0.2  # a ratio of tiles stays so far from whole numbers: tiles that fit into each other repeat together
_NO_WAVES = 1e300, math.inf  # a band without any, rad/m

# How far the second reading is rotated: the two never repeat together, and the waves of both still run with the wind.
ROTATION = math.cos(math.radians(-23.0)), math.sin(math.radians(-23.0))
_SECOND_ORIGIN = (0.371, 0.618)  # where it begins, in tiles
_SEED_STEP = 0x1E3779B97F4A7C15  # from tile to tile: odd, of 63 bits, far from all seeds that people choose


def tiles_of(settings: OceanSettings) -> tuple[OceanSettings, ...]:
    """The tiles of a sea, the longest first; each has the settings of the sea, a tile, a seed and a band of its own.

    A band ends where the next tile's longest waves begin, which fit into it six times; the first and the last band have
    no end. Foam lies on the first tile, and grows where all tiles together compress the surface.
    """
    if settings.cascades == 1:
        return (settings,)
    sides = sides_of(settings)
    cuts = [0.0, *(_WAVES_A_TILE * 2 * math.pi / side for side in sides[1:]), math.inf]
    tiles = []
    for index, side in enumerate(sides):
        low, high = max(settings.band[0], cuts[index]), min(settings.band[1], cuts[index + 1])
        own = {"tile": side, "band": (low, high) if low < high else _NO_WAVES, "cascades": 1}
        seed, gain = (settings.seed + index * _SEED_STEP) % 2**63, settings.foam_gain if index == 0 else 0.0
        tiles.append(replace(settings, **own, seed=seed, foam_gain=gain))
    return tuple(tiles)


def sides_of(settings: OceanSettings) -> tuple[float, ...]:
    """The sides of the tiles, m, the longest first: those that were asked for, or chosen from count, size and tile."""
    if isinstance(settings.cascades, tuple):
        return (settings.tile, *settings.cascades)
    if settings.cascades == 1:
        return (settings.tile,)
    further, largest = settings.cascades - 1, settings.size / (_WAVES_A_TILE * _SAMPLES_A_WAVE)
    ratio = min(largest, max(2 - _FROM_WHOLE, (settings.spacing / _FINEST_SPACING) ** (1 / further)))
    beyond = ratio % 1
    if beyond < _FROM_WHOLE:
        ratio -= beyond + _FROM_WHOLE
    elif beyond > 1 - _FROM_WHOLE:
        ratio -= beyond - (1 - _FROM_WHOLE)
    return tuple(settings.tile / ratio**index for index in range(further + 1))


def suited_to(settings: OceanSettings) -> OceanSettings:
    """The settings with 3 tiles, or 1 if small; the first for 12 waves of the longest peak, or 4 of those measured."""
    tile = _WAVES_OF_PEAK * waves.longest_peak_wave(settings)
    if (measured := settings.measured) is not None:
        least = _LEAST_DENSITY * max(measured.density)
        lowest = next(f for f, density in zip(measured.frequency, measured.density, strict=True) if density >= least)
        longest = 2 * math.pi / float(spectra.wavenumber(2 * math.pi * lowest, settings.depth))
        tile = max(tile, _LONGEST_WAVES * longest)
    return replace(settings, tile=tile, cascades=3 if settings.size >= SMALLEST_SIZE_OF_CASCADES else 1)


@lru_cache(maxsize=16)  # of the sea of each frame
def significant_height(settings: OceanSettings) -> float:
    """Hs of the whole sea, m: 4 sqrt(sum Psi dk²) over all its tiles."""
    return math.hypot(*(waves.significant_height(each) for each in tiles_of(settings)))


def blended(points: Array, tile: float, read: Callable[[Array], dict[str, Array]]) -> dict[str, Array]:
    """The eight fields of a tile as a picture shows them: those of its two readings, weighted.

    The squares of the weights, which vary over the sea, add up to one: the variance is that of one reading. Derivatives
    leave out those of the weights. Points are of the undisturbed water, m, [points, 2]; `tile` is its side, m, and
    `read` gives the fields of the tile at points, [points] each.
    """
    cosine, sine = ROTATION
    first_weight, second_weight = _weights(points / tile)
    back = np.stack([cosine * points[:, 0] + sine * points[:, 1], cosine * points[:, 1] - sine * points[:, 0]], -1)
    first, second = read(points), read(back + tile * np.array(_SECOND_ORIGIN))
    turned = {"height": second["height"]}
    for x, z in (("dx", "dz"), ("slope_x", "slope_z")):
        turned[x] = cosine * second[x] - sine * second[z]
        turned[z] = sine * second[x] + cosine * second[z]
    xx, zz, xz = second["dxx"], second["dzz"], second["dxz"]
    turned["dxx"] = cosine**2 * xx - 2 * cosine * sine * xz + sine**2 * zz
    turned["dzz"] = sine**2 * xx + 2 * cosine * sine * xz + cosine**2 * zz
    turned["dxz"] = cosine * sine * (xx - zz) + (cosine**2 - sine**2) * xz
    return {name: first_weight * first[name] + second_weight * turned[name] for name in first}


def _weights(p: Array) -> tuple[Array, Array]:
    """Amplitudes of the two readings at points in tiles."""
    x, z = p[:, 0], p[:, 1]
    wander = np.sin(1.13 * x + 0.67 * z + 2.1 * np.sin(-0.41 * x + 0.83 * z))
    wander += np.sin(-0.79 * x + 1.37 * z + 1.7 * np.sin(0.93 * x + 0.29 * z))
    angle = math.pi / 4 + 0.55 * np.clip(0.7 * wander, -1.2, 1.2)
    return np.cos(angle), np.sin(angle)
