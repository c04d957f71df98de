"""A sea on several tiles: long waves on the first, shorter ones on each further tile, every wave on one tile only.

Pictures read each tile twice, so that nobody sees it repeat: see readings.glsl.
"""

import math
from dataclasses import replace
from functools import lru_cache

from glfft.errors import require
from glfft.sea import spectra, waves
from glfft.sea.settings import SMALLEST_SIZE_OF_CASCADES, OceanSettings

_WAVES_A_TILE = 6  # the longest waves of a further tile fit into it so many times
_SAMPLES_A_WAVE = 4  # where a band ends, its tile still has so many samples a wave
_FINEST_SPACING = 0.01  # m, of the last of several tiles where sizes allow; shorter waves are of surface tension

# A tile chosen for its waves holds so many of the peak, and of the longest measured: fewer hardly have a direction.
_WAVES_OF_PEAK, _LONGEST_WAVES = 12, 4
_LEAST_DENSITY = 0.1  # waves count with a density from this share of the peak's
_OFF_WHOLE = 0.2  # a ratio of tiles stays so far from whole numbers: tiles that fit into each other repeat together
_NO_WAVES = 1e300, math.inf  # a band without any, rad/m

# How far the second reading is rotated: the two never repeat together, and the waves of both still run with the wind.
ROTATION = math.cos(math.radians(-23.0)), math.sin(math.radians(-23.0))
_SEED_STEP = 0x1E3779B97F4A7C15  # from tile to tile: odd, of 63 bits, far from all seeds that people choose


def tiles_of(settings: OceanSettings) -> tuple[OceanSettings, ...]:
    """The tiles of a sea, the longest first; each has the settings of the sea, a tile, a seed and a band of its own.

    A band ends where the next tile's longest waves begin, which fit into it six times; the first and the last band have
    no end. Foam lies on the first tile, and grows where all tiles together compress the surface.
    """
    require(isinstance(settings, OceanSettings), "settings", settings, "an OceanSettings, such as preset('storm')")
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
    ratio = min(largest, max(2 - _OFF_WHOLE, (settings.spacing / _FINEST_SPACING) ** (1 / further)))
    beyond = ratio % 1
    if beyond < _OFF_WHOLE:
        ratio -= beyond + _OFF_WHOLE
    elif beyond > 1 - _OFF_WHOLE:
        ratio -= beyond - (1 - _OFF_WHOLE)
    return tuple(settings.tile / ratio**index for index in range(further + 1))


def suited_to(settings: OceanSettings) -> OceanSettings:
    """The settings with 3 tiles, or 1 if small; the first for 12 waves of the longest peak, or 4 of those measured."""
    tile = _WAVES_OF_PEAK * waves.longest_peak_wave(settings)
    if (measured := settings.measured) is not None:
        least = _LEAST_DENSITY * max(measured.density)
        lowest = next(f for f, density in zip(measured.frequency, measured.density, strict=True) if density >= least)
        tile = max(tile, _LONGEST_WAVES * 2 * math.pi / float(spectra.wavenumber(2 * math.pi * lowest, settings.depth)))
    return replace(settings, tile=tile, cascades=3 if settings.size >= SMALLEST_SIZE_OF_CASCADES else 1)


@lru_cache(maxsize=1024)  # of each frame's seas: many where a morph turns again and again
def significant_height(settings: OceanSettings) -> float:
    """Hs of the whole sea, m: 4 sqrt(sum Psi dk²) over all its tiles."""
    return math.hypot(*(waves.significant_height(each) for each in tiles_of(settings)))
