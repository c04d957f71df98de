"""Seas by name: their heights, and what of other settings they leave."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from glfft.errors import OptionError
from glfft.sea import waves
from glfft.sea.presets import PRESETS, preset
from glfft.sea.settings import OceanSettings

# Probable heights of waves on the open sea, m (WMO No. 8, annex, Beaufort scale), and the highest it gives.
WMO = (0, 0.1, 0.2, 0.6, 1, 2, 3, 4, 5.5, 7, 9, 11.5, 14)
WMO_HIGHEST = (0, 0.1, 0.3, 1, 1.5, 2.5, 4, 5.5, 7.5, 10, 12.5, 16, 16)


def height(name: str) -> float:
    wide = replace(preset(name), size=128, cascades=1)
    return waves.significant_height(replace(wide, tile=12 * waves.longest_peak_wave(wide)))


def test_the_beaufort_scale_has_the_waves_of_its_table():
    heights = [height(f"beaufort-{force}") for force in range(13)]
    assert heights == sorted(heights)
    for force in range(3, 13):
        assert WMO[force - 1] < heights[force] <= WMO_HIGHEST[force], force
        assert heights[force] == pytest.approx(WMO[force], rel=0.3), force
    assert heights[0] < 0.02
    assert heights[2] < 0.2


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_fits_its_tiles(name):
    settings = preset(name)
    assert waves.too_few_waves(settings) == ""
    assert [other for other in PRESETS if preset(other, settings) == settings] == [name], "no two are one sea"


def test_the_rest_of_the_settings_stays():
    base = OceanSettings(size=64, tile=500, cascades=2, seed=7, wind_direction=1, choppiness=0.6, gamma=2, depth=9)
    storm = preset("storm", base)
    kept = ("size", "tile", "cascades", "seed", "wind_direction", "choppiness", "foam_lifetime")
    assert all(getattr(storm, name) == getattr(base, name) for name in kept)
    # Waves of the settings before leave nothing behind.
    assert (storm.gamma, storm.depth) == (OceanSettings().gamma, math.inf)
    assert storm.swells[0].direction == pytest.approx(1.0 + math.radians(35))
    assert preset("beaufort-3", storm) == preset("beaufort-3", base)


def test_a_slip_in_a_name_is_told():
    with pytest.raises(OptionError, match=r"must be one of beaufort-0, .* did you mean .storm.\?"):
        preset("strom")
    with pytest.raises(OptionError, match=r"lagoon\.$"):
        preset("?")


@pytest.mark.parametrize("name", ["beaufort-13", "Beaufort-3", "beaufort"])
def test_the_forces_of_beaufort_are_told(name):
    with pytest.raises(OptionError, match=rf"is '{name}' and must be from beaufort-0 to beaufort-12\.$"):
        preset(name)
