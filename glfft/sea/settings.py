"""The settings of a sea, checked when they are made."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from glfft.errors import OptionError, ShapeError, check_choice, real_number, require, shown, whole_number
from glfft.files import packaged_toml

if TYPE_CHECKING:
    from glfft.sea.measured import MeasuredSpectrum

_LARGEST_SEED = 2**63 - 1  # the exported fields hold it as int64
SMALLEST_SIZE, SMALLEST_SIZE_OF_CASCADES = 16, 48
MOST_CASCADES = 6
# Samples that the shortest wave of a band has at least, times the waves that the next tile's longest one fits into it.
_LARGEST_RATIO_OF_SIZE = 1 / 13
_FROM_WHOLE = 0.02  # ratios of neighbouring tiles closer to a whole number than this are refused

SPECTRA = ("jonswap", "pierson-moskowitz", "phillips", "elfouhaily")
SPREADINGS = ("hasselmann", "mitsuyasu", "donelan-banner", "cosine-squared")
SPREADINGS_WITH_SWELL = ("hasselmann", "mitsuyasu")  # |cos(theta/2)|^2s: swell raises their exponent s

# The name of each number in a message, its unit, and its range.
_READ = packaged_toml("glfft.sea", "ranges.toml")
_RANGES, _RANGES_OF_SWELL = _READ["settings"], _READ["swell"]


@dataclass(frozen=True)
class Swell:
    """Waves from far away, beside those of the wind, in SI units; OptionError if a value is out of its range.

    Attributes:
        height: significant wave height, m.
        period: of the spectrum's peak, s.
        direction: where the waves run **to**, rad, from +x towards +z.
        spread: standard deviation of directions as buoys define it, sqrt(2 (1 - r1)), rad.
        gamma: peak enhancement: the higher, the narrower the spectrum.
    """

    height: float
    period: float
    direction: float = 0.0
    spread: float = math.radians(12.0)
    gamma: float = 5.0

    def __post_init__(self) -> None:
        for name, value in vars(self).copy().items():
            object.__setattr__(self, name, _in_range(value, *_RANGES_OF_SWELL[name]))


@dataclass(frozen=True)
class OceanSettings:
    """One sea. SI units throughout: metres, seconds, radians.

    Attributes:
        size: samples per side of the tile, an even number from 16, with `cascades` from 48.
        tile: side of the square tile, m, which repeats without a seam.
        wind: wind speed 10 m above the water, m/s.
        wind_direction: where the wind blows **to**, rad, from +x towards +z.
        fetch: how far the wind has blown over open water, m.
        seed: which sea of these statistics, an integer from 0; another `size` samples it too, and rescales "phillips".
        choppiness: factor on the horizontal displacement, for foam and drawing only: no field is multiplied by it.
        spectrum: "jonswap", "pierson-moskowitz", "phillips" or "elfouhaily".
        spreading: "hasselmann", "mitsuyasu", "donelan-banner" or "cosine-squared".
        gamma: JONSWAP's peak enhancement.
        swell: 0 for a wind sea to 1 for long-crested swell (with "hasselmann" and "mitsuyasu").
        depth: water depth, m, or infinity. A finite depth turns JONSWAP into TMA. Swells keep their height.
        swells: waves from far away, added to those of the wind.
        cascades: number of tiles, 1 to 6, each with its own band of waves; or the sides of the tiles after the first,
            m, falling. `glfft.sea.cascades` chooses tiles and bands.
        measured: a spectrum instead of the wind's, as from `glfft.sea.buoy_files`. Each wave has its mean energy and
            only its phase is random; missing directions are those of the wind's waves. `swells` are added.
        loop: the sea repeats after this time, s, or never (infinity): frequencies are rounded to multiples of 1/loop.
        band: the waves to keep, as wavenumbers from the first to below the second, rad/m.
        foam_threshold: foam grows where the surface is compressed to less than this share of its width (1 is
            undisturbed; at 0 it folds over). None finds the value with which foam covers 3.84e-6 U^3.41, what Monahan
            and O'Muircheartaigh (1980) observed, see `glfft.sea.foam`.
        foam_gain: growth of foam coverage per unit below the threshold, 1/s.
        foam_lifetime: time in which coverage decays to 1/e, s.
        foam_spread: diffusivity of the foam, m²/s.

    Raises ShapeError if `size` is odd, not a whole number, below 16, or too small for cascades, OptionError if any
    other value is not a finite number in its range, or not a known name.
    """

    size: int = 256
    tile: float = 250.0
    wind: float = 10.0
    wind_direction: float = 0.0
    fetch: float = 100e3
    seed: int = 1
    choppiness: float = 1.0
    spectrum: str = "jonswap"
    spreading: str = "hasselmann"
    gamma: float = 3.3
    swell: float = 0.0
    depth: float = math.inf
    swells: tuple[Swell, ...] = ()
    cascades: int | tuple[float, ...] = 1
    band: tuple[float, float] = (0.0, math.inf)
    measured: MeasuredSpectrum | None = None
    loop: float = math.inf
    foam_threshold: float | None = None
    foam_gain: float = 20.0
    foam_lifetime: float = 4.0
    foam_spread: float = 0.02

    def __post_init__(self) -> None:
        for name, value in vars(self).copy().items():
            checked = _CHECKS[name](value) if name in _CHECKS else _in_range(value, *_RANGES[name])
            object.__setattr__(self, name, checked)  # the way into a frozen dataclass
        if self.swell > 0 and self.spreading not in SPREADINGS_WITH_SWELL:
            some = f"the spreadings {' or '.join(SPREADINGS_WITH_SWELL)} only, not {self.spreading}"
            raise OptionError(f"Swell works with {some}: choose one of those or leave swell at 0.")
        _check_tiles(self)

    @property
    def spacing(self) -> float:
        """Distance between neighbouring samples, m."""
        return self.tile / self.size


def range_of(name: str) -> tuple[float, float]:
    """The smallest and the largest value of a setting that is a number, in its SI unit."""
    return tuple(_RANGES[name][2:])


def _even(value: object) -> int | None:
    size, wanted = whole_number(value), f"an even number from {SMALLEST_SIZE}, such as 360"
    holds = size is not None and SMALLEST_SIZE <= size < 1 << 31 and not size % 2
    require(holds, "The ocean's size", value, wanted, ShapeError)
    return size


def _seed(value: object) -> int | None:
    seed, wanted = whole_number(value), f"a whole number from 0 to {_LARGEST_SEED}"
    require(seed is not None and 0 <= seed <= _LARGEST_SEED, "The seed", value, wanted)
    return seed


def _or_infinity(what: str, least: float, most: float, wanted: str, value: object) -> float:
    found = real_number(value)
    require(least <= found <= most or found == math.inf, what, value, wanted)
    return found


def _cascades(value: object) -> int | tuple[float, ...]:
    if isinstance(value, tuple | list):
        sides = tuple(_in_range(each, *_RANGES["tile"]) for each in value)
        if not 1 <= len(sides) < MOST_CASCADES:
            raise OptionError(f"There are {1 + len(sides)} tiles; give 2 to {MOST_CASCADES} of them.")
        return sides
    count = whole_number(value)
    if count is None or not 1 <= count <= MOST_CASCADES:
        wanted = f"a number of tiles from 1 to {MOST_CASCADES}, or the sides of those after the first"
        raise OptionError(f"The cascades are {shown(value)} and must be {wanted}.")
    return count


def _band(value: object) -> tuple[float, ...]:
    ends = tuple(real_number(each) for each in value) if isinstance(value, tuple | list) else ()
    wanted = "two wavenumbers from 0, the second larger, in rad/m"
    require(len(ends) == 2 and 0 <= ends[0] < ends[1], "The band", value, wanted)
    return ends


def _check_tiles(settings: OceanSettings) -> None:
    """Raise for tiles of cascades that repeat together, or leave waves out."""
    size, least = settings.size, SMALLEST_SIZE_OF_CASCADES
    if settings.cascades != 1 and size < least:
        raise ShapeError(f"The ocean's size is {size} and must be at least {least} for several tiles.")
    largest = size * _LARGEST_RATIO_OF_SIZE
    sides = (settings.tile, *settings.cascades) if isinstance(settings.cascades, tuple) else ()
    for longer, shorter in pairwise(sides):
        ratio = longer / shorter
        if not 1 < ratio <= largest:
            said = f"A tile of {longer:g} m is followed by one of {shorter:g} m: at size {size} each must be shorter"
            reach = f"by a factor of {largest:.3g} at most, so that no waves are left out"
            raise OptionError(f"{said} than the one before, {reach}.")
        whole = round(ratio)
        if abs(ratio - whole) < _FROM_WHOLE:
            said = f"Tiles of {longer:g} m and {shorter:g} m repeat together, {whole} to 1: choose a ratio between"
            raise OptionError(f"{said} whole numbers, such as {longer / (whole + 0.4):.4g} m.")


def _measured(value: Any) -> MeasuredSpectrum | None:
    if value is None:
        return None
    from glfft.sea.measured import MeasuredSpectrum  # loads numpy

    require(isinstance(value, MeasuredSpectrum), "The measured spectrum", value, "a MeasuredSpectrum")
    return value


def _swells(value: object) -> tuple[Swell, ...]:
    if not isinstance(value, tuple | list) or not all(isinstance(each, Swell) for each in value):
        raise OptionError(f"The swells are {value!r} and must be a tuple of Swell, such as (Swell(2.0, 12.0),).")
    return tuple(value)


def _in_range(value: object, what: str, unit: str, lowest: float, highest: float) -> float:
    found, most = real_number(value), f"{highest:g} {unit}".rstrip()
    require(lowest <= found <= highest, what, value, f"a number from {lowest:g} to {most}")
    return found


# Settings that are not numbers in a range.
_CHECKS: dict[str, Callable[[Any], object]] = {
    "size": _even,
    "seed": _seed,
    "spectrum": partial(check_choice, "spectrum", allowed=SPECTRA),
    "spreading": partial(check_choice, "spreading", allowed=SPREADINGS),
    "depth": partial(_or_infinity, "The depth", 0.01, math.inf, "at least 0.01 m, or infinity for deep water"),
    # A time before 0 counts from the end of the loop: in a longer one the waves' phases would be off there.
    "loop": partial(_or_infinity, "The loop", 0.1, 1e6, "at least 0.1 s and at most 1e+06 s, or infinity for none"),
    "cascades": _cascades,
    "band": _band,
    "measured": _measured,
    "swells": _swells,
    "foam_threshold": lambda value: None if value is None else _in_range(value, *_RANGES["foam_threshold"]),
}
