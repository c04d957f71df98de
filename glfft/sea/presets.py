"""Seas by name: the Beaufort scale, and some that people ask for."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from glfft.errors import OptionError
from glfft.sea.settings import OceanSettings, Swell

# The middle of each force's winds, m/s (WMO No. 8, annex), and the fetch with which JONSWAP's waves have about the
# probable height of the open sea in that table, km. Up to force 5 these are fully developed seas, which have no fetch.
_WINDS = (0.15, 0.9, 2.4, 4.4, 6.7, 9.3, 12.3, 15.5, 18.9, 22.6, 26.4, 30.5, 34.5)
_FETCHES = (None, None, None, None, None, None, 135, 157, 202, 235, 288, 355, 415)

# Tiles that hold all of them, from the waves of force 12 to ripples, so that each can become any other.
_TILE, _CASCADES = 1200.0, 3


def _beaufort(force: int) -> dict[str, Any]:
    wind, fetch = _WINDS[force], _FETCHES[force]
    if fetch is None:
        return {"wind": wind, "spectrum": "pierson-moskowitz"}
    return {"wind": wind, "fetch": fetch * 1e3}


# What makes a sea the one of that name. Everything else stays as it is: grid, seed, direction of the wind, choppiness.
PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        **{f"beaufort-{force}": _beaufort(force) for force in range(len(_WINDS))},
        "swell-at-sunset": {
            "wind": 3.0,
            "fetch": 30e3,
            "swells": (Swell(2.2, 13.0, math.radians(10.0), math.radians(9.0), gamma=7.0),),
        },
        "storm": {"wind": 25.0, "fetch": 250e3, "swells": (Swell(3.5, 13.0, math.radians(35.0)),)},
        "lagoon": {"wind": 4.0, "fetch": 4e3, "depth": 3.0},
    }
)

_WAVES = ("wind", "fetch", "spectrum", "spreading", "gamma", "swell", "depth", "swells", "measured")


def preset(name: str, settings: OceanSettings | None = None) -> OceanSettings:
    """The settings of a sea by name, one of `PRESETS` (else OptionError).

    Given settings keep all but their waves, so that `OceanSimulation.morph` can go there; swells turn with their wind's
    direction. By default, the tiles are such as hold every preset.
    """
    if name not in PRESETS:
        near = difflib.get_close_matches(name, PRESETS, 1)
        usual = "choose beaufort-0 to beaufort-12, swell-at-sunset, storm or lagoon."
        hint = f"did you mean {near[0]}?" if near else usual
        raise OptionError(f"There is no preset {name!r}: {hint}")
    base = settings or OceanSettings(tile=_TILE, cascades=_CASCADES)
    defaults = {each.name: each.default for each in fields(OceanSettings) if each.name in _WAVES}
    changes = {**defaults, **PRESETS[name]}
    changes["swells"] = tuple(
        replace(each, direction=each.direction + base.wind_direction) for each in changes["swells"]
    )
    return replace(base, **changes)


def named(settings: OceanSettings) -> str:
    """The name of the preset whose waves these settings have, or ""."""
    return next((name for name in PRESETS if preset(name, settings) == settings), "")
