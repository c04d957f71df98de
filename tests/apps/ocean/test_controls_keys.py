"""Keys as changes of the controls, without a window."""

from __future__ import annotations

import glfw
import pytest

from glfft.apps.ocean.controls import Controls, press
from glfft.apps.ocean.shot import Shot
from glfft.sea.settings import OceanSettings


@pytest.fixture
def controls():
    return Controls(Shot(settings=OceanSettings(size=32, tile=300.0)))


@pytest.mark.parametrize(
    ("key", "name"),
    [(glfw.KEY_SPACE, "paused"), (glfw.KEY_H, "panel"), (glfw.KEY_M, "measured")],
)
def test_a_switch_goes_on_and_off(controls, key, name):
    before = getattr(controls, name)
    press(key, 0, controls, ["auto"], "high")
    assert getattr(controls, name) is not before
    press(key, 0, controls, ["auto"], "high")
    assert getattr(controls, name) is before


def test_the_overlay_folds_goes_and_comes_back(controls):
    seen = []
    for _ in range(3):
        press(glfw.KEY_O, 0, controls, ["auto"], "high")
        seen.append(controls.overlay)
    assert seen == ["folded", "hidden", "open"]


def test_tab_goes_through_the_algorithms_and_back_with_shift(controls):
    names = ["auto", "stockham", "radix-2"]
    press(glfw.KEY_TAB, 0, controls, names, "high")
    assert controls.algorithm == "stockham"
    press(glfw.KEY_TAB, glfw.MOD_SHIFT, controls, names, "high")
    assert controls.algorithm == "auto"


def test_keys_of_sliders_change_sea_and_light(controls):
    wind, sun = controls.settings.wind, controls.weather.sun_elevation
    press(glfw.KEY_RIGHT_BRACKET, 0, controls, ["auto"], "high")
    press(glfw.KEY_L, 0, controls, ["auto"], "high")
    assert controls.settings.wind == wind + 1
    assert controls.weather.sun_elevation > sun
    press(glfw.KEY_R, 0, controls, ["auto"], "high")
    assert (controls.settings.wind, controls.weather.sun_elevation) == (wind, sun)
    press(glfw.KEY_V, 0, controls, ["auto"], "low")
    press(glfw.KEY_P, 0, controls, ["auto"], "low")
    press(glfw.KEY_B, 0, controls, ["auto"], "low")
    assert controls.quality == "medium"
    assert controls.screenshot
    assert controls.preset
