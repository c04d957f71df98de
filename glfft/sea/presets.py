"""Seas by name: the Beaufort scale, and some that people ask for."""

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from glfft.errors import check_choice, require
from glfft.sea.settings import OceanSettings, Swell

# The middle of each force's winds, m/s (WMO No. 8, annex). Up to force 5 these are fully developed seas, which have no
# fetch; then the fetch, m, is that with which JONSWAP's waves have about the table's probable height of the open sea.
_GROWN = {"spectrum": "pierson-moskowitz"}
_WINDS: tuple[tuple[float, Mapping[str, Any]], ...] = (
    (0.15, _GROWN), (0.9, _GROWN), (2.4, _GROWN), (4.4, _GROWN), (6.7, _GROWN), (9.3, _GROWN),
    (12.3, {"fetch": 135e3}), (15.5, {"fetch": 157e3}), (18.9, {"fetch": 202e3}), (22.6, {"fetch": 235e3}),
    (26.4, {"fetch": 288e3}), (30.5, {"fetch": 355e3}), (34.5, {"fetch": 415e3}),
)  # fmt: skip

# What makes a sea the one of that name. Everything else stays as it is: grid, seed, direction of the wind, choppiness.
_LONG_SWELL = Swell(2.2, 13.0, math.radians(10.0), math.radians(9.0), gamma=7.0)
_SEAS: dict[str, Mapping[str, Any]] = {
    **{f"beaufort-{force}": {"wind": wind, **grown} for force, (wind, grown) in enumerate(_WINDS)},
    "swell-at-sunset": {"wind": 3.0, "fetch": 30e3, "swells": (_LONG_SWELL,)},
    "storm": {"wind": 25.0, "fetch": 250e3, "swells": (Swell(3.5, 13.0, math.radians(35.0)),)},
    "lagoon": {"wind": 4.0, "fetch": 4e3, "depth": 3.0},
}
PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(_SEAS)

_WAVES = ("wind", "fetch", "spectrum", "spreading", "gamma", "swell", "depth", "swells", "measured")


def preset(name: str, settings: OceanSettings | None = None) -> OceanSettings:
    """The settings of a sea by name, one of `PRESETS` (else OptionError).

    Given settings keep all but their waves, so that `OceanSimulation.morph` can go there; swells turn with their wind's
    direction. By default, the tiles are such as hold every preset.
    """
    if str(name).lower().startswith("beaufort"):
        require(name in PRESETS, "The preset", name, f"from beaufort-0 to beaufort-{len(_WINDS) - 1}")
    check_choice("The preset", name, tuple(PRESETS))
    require(isinstance(settings, OceanSettings | None), "settings", settings, "an OceanSettings, or left out")
    # Tiles that hold all, from waves of force 12 to ripples: each can become any other.
    base = settings or OceanSettings(tile=1200.0, cascades=3)
    defaults = {each.name: each.default for each in fields(OceanSettings) if each.name in _WAVES}
    changes, turned = {**defaults, **PRESETS[name]}, base.wind_direction
    swells = tuple(replace(each, direction=each.direction + turned) for each in changes["swells"])
    return replace(base, **{**changes, "swells": swells})
