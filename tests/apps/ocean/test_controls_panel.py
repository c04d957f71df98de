"""The panel: what it shows, and what its sliders and buttons change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.panels import Panel

from glfft.apps.ocean.controls import LIGHT_SLIDERS, SEA_SLIDERS, Controls, Readings, draw_panel
from glfft.apps.ocean.shot import Shot
from glfft.sea.presets import preset
from glfft.sea.settings import OceanSettings

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

READINGS = Readings(
    algorithms={"auto": "the fastest", "stockham": "autosort"},
    step_ms={"stockham": 1.25},
    timer="GPU time",
    significant_height=2.341,
    time=6.78,
    tuning="",
    caution="",
)


def drawn(controls: Controls, readings: Readings = READINGS, **interaction: Any) -> Panel:
    panel = Panel(**interaction)
    draw_panel(panel, controls, readings, 1.0, 1280.0)
    return panel


@pytest.fixture
def controls() -> Controls:
    return Controls(Shot(OceanSettings(size=32, tile=120.0)))


def test_it_shows_the_readings_and_a_tip_for_every_slider_and_button(controls):
    panel = drawn(controls)
    assert "wave height 2.34 m    time 6.8 s" in panel.texts
    assert "1.25 ms" in panel.texts
    assert "waves of a frame, GPU time" in panel.texts
    sliders = [*SEA_SLIDERS, *LIGHT_SLIDERS]
    assert {slider.label for slider in sliders} <= set(panel.labels)
    assert {slider.tip for slider in sliders} | set(READINGS.algorithms.values()) <= set(panel.tips)
    # A slider, a button, an algorithm or a list each, and the check box of the overlay.
    assert len(panel.tips) == len(panel.labels) + 1


@pytest.mark.parametrize("slider", [*SEA_SLIDERS, *LIGHT_SLIDERS], ids=lambda slider: slider.name)
def test_a_slider_changes_its_setting_in_its_unit(controls, slider):
    middle = (slider.lowest + slider.highest) / 2
    drawn(controls, move=(slider.label, middle))
    source = controls.settings if slider in SEA_SLIDERS else controls.weather
    assert getattr(source, slider.name) == pytest.approx(middle * slider.scale)
    assert controls.message == ""


def test_buttons_do_what_they_say(controls):
    drawn(controls, press="pause")
    assert controls.paused
    drawn(controls, press="resume")
    assert not controls.paused
    drawn(controls, press="screenshot")
    assert controls.screenshot
    before = controls.overlay
    drawn(controls, press="overlay")
    assert controls.overlay is not before
    drawn(controls, press="stockham")
    assert controls.algorithm == "stockham"
    drawn(controls, move=("exposure", 1.5))
    assert controls.exposure == 1.5
    drawn(controls, move=("buoys", 7))
    assert controls.buoys == 7
    drawn(controls, press="reset")
    assert (controls.algorithm, controls.exposure, controls.buoys) == ("auto", 0.0, 0)


def test_an_exposure_typed_into_its_slider_stays_between_the_ends(controls):
    drawn(controls, move=("exposure", 5000.0))  # 2 to this power overflows
    assert controls.exposure == 3.0


def test_warnings_and_tuning_are_shown_where_there_are_any(controls):
    controls.message = "refused"
    panel = drawn(controls, replace(READINGS, tuning="tuning: 3 of 9", caution="few waves fit"))
    assert {"refused", "tuning: 3 of 9", "few waves fit"} <= set(panel.texts)


def test_a_collapsed_panel_draws_nothing(controls):
    panel = drawn(controls, is_open=False)
    assert (panel.texts, panel.labels) == ([], [])


def test_a_preset_is_chosen_by_its_name():
    controls = Controls(Shot())
    panel = Panel(press="storm")
    draw_panel(panel, controls, READINGS, 1.0, 1280.0)
    assert "of your own" in panel.texts
    assert controls.preset == "storm"
    assert controls.settings == preset("storm", Shot().settings)
