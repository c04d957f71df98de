"""The controls: sliders, keys, and what is said of a value that is refused."""

from __future__ import annotations

from dataclasses import replace

import glfw
import pytest

from glfft.apps.ocean.camera import Camera, CameraPath
from glfft.apps.ocean.controls import LIGHT_SLIDERS, SEA_SLIDERS, Controls, press
from glfft.apps.ocean.shot import Shot
from glfft.apps.ocean.sky import Weather
from glfft.sea.settings import OceanSettings

SEA = OceanSettings(size=64, wind=12.0, tile=120.0)


def test_every_slider_is_a_setting_with_a_tooltip_and_allowed_ends():
    for slider in SEA_SLIDERS:
        for end in (slider.lowest, slider.highest):
            replace(OceanSettings(), **{slider.name: end * slider.scale})  # pyright: ignore[reportArgumentType]
        assert slider.lowest <= slider.shown(OceanSettings()) <= slider.highest
        assert slider.tip.endswith(".")
    for slider in LIGHT_SLIDERS:
        assert slider.lowest <= slider.shown(Weather()) <= slider.highest
        assert slider.tip.endswith(".")


def test_keys_step_a_slider_within_its_ends():
    wind = SEA_SLIDERS[0]
    assert wind.stepped(10.0, up=True) == 11.0
    assert wind.stepped(wind.highest, up=True) == wind.highest
    fetch = SEA_SLIDERS[1]
    assert fetch.stepped(fetch.stepped(100.0, up=True), up=False) == pytest.approx(100.0)


def test_controls_refuse_in_words_and_reset():
    controls = Controls(Shot(settings=SEA))
    controls.change_sea(wind=-1.0)
    assert controls.settings == SEA
    assert "wind" in controls.message
    controls.change_sea(wind=5.0)
    assert controls.settings.wind == 5.0
    assert controls.message == ""
    press(glfw.KEY_TAB, 0, controls, ["auto", "stockham-radix4"], "high")
    assert controls.algorithm == "stockham-radix4"
    controls.reset()
    assert controls.settings == SEA
    assert controls.algorithm == "auto"


def test_presets_keep_the_tiles_and_bring_their_light():
    controls = Controls(Shot(OceanSettings(size=64, tile=300.0, seed=4)))
    usual = controls.weather.sun_elevation
    controls.choose_preset("swell-at-sunset")
    assert (controls.settings.size, controls.settings.tile, controls.settings.seed) == (64, 300.0, 4)
    assert controls.settings.swells
    assert controls.weather.sun_elevation < usual
    controls.next_preset()
    assert controls.preset == "storm"
    assert controls.weather.sun_elevation == usual
    controls.change_sea(wind=11.0)
    assert controls.preset == ""
    controls.next_preset()
    assert controls.preset == "beaufort-0"
    assert controls.settings.swells == ()
    controls.next_preset(-1)
    assert controls.preset == "lagoon"
    controls.reset()
    assert (controls.preset, controls.settings) == ("", controls.shot.settings)


def test_a_camera_follows_its_path_until_it_is_moved_or_the_path_ends():
    ends = [Camera((0.0, 5.0, 0.0)), Camera((10.0, 5.0, 0.0))]
    controls = Controls(Shot(settings=SEA, path=CameraPath([3.0, 4.0], ends)))
    places = []
    for _ in range(7):
        controls.fly(controls.camera, 0.25)
        places.append(controls.camera.position[0])
    assert places == [0.0, pytest.approx(1.5625), 5.0, pytest.approx(8.4375), 10.0, 10.0, 10.0]
    assert controls.on_path is None
    controls.follow_path()
    controls.fly(controls.camera, 0.25)
    assert controls.camera == ends[0]
    controls.paused = True
    for _ in range(2):
        controls.fly(controls.camera, 0.25)
    assert controls.camera == ends[0]
    controls.paused = False
    moved = controls.camera.moved(0.0, 1.0, 0.0)
    controls.fly(moved, 0.25)
    assert (controls.camera, controls.on_path) == (moved, None)
    controls.reset()
    assert controls.on_path == 0.0


def test_without_a_path_its_key_says_so():
    controls = Controls(Shot(settings=SEA))
    controls.follow_path()
    assert "--camera-path" in controls.message
    assert controls.on_path is None


def test_a_key_puts_out_buoys_and_takes_them_in():
    for at_start in (0, 30):
        controls = Controls(Shot(settings=SEA, buoys=at_start))
        seen = []
        for _ in range(3):
            seen.append(controls.buoys)
            controls.float_buoys()
        assert seen == ([0, 12, 0] if at_start == 0 else [30, 0, 30])
