"""The panel: a slider for each part of a lens, and buttons that do what they say."""

from __future__ import annotations

from typing import Any

import pytest
from support.panels import Panel

from glfft.apps.bloom.window import SLIDERS, Controls, draw_panel
from glfft.apps.glare.lens import EYE, Lens


def drawn(controls: Controls, **interaction: Any) -> Panel:
    panel = Panel(**interaction)
    draw_panel(panel, controls, 1.0, 1280.0)
    return panel


@pytest.mark.parametrize("slider", SLIDERS, ids=lambda slider: slider.name)
def test_a_slider_changes_the_lens(slider):
    controls = Controls(Lens())
    wanted = slider.highest
    assert slider.label in drawn(controls, move=(slider.label, wanted)).labels
    assert slider.shown(controls.lens) == pytest.approx(wanted)


def test_buttons_do_what_they_say():
    controls = Controls(Lens())
    drawn(controls, press="eye")
    assert controls.lens == EYE
    drawn(controls, press="other dust")
    assert controls.lens.seed == EYE.seed + 1
    drawn(controls, press="mipmaps")
    assert controls.way == "mipmaps"
    drawn(controls, press="write a picture")
    assert controls.screenshot
    drawn(controls, press="reset")
    assert (controls.lens, controls.way) == (Lens(), "lens")


def test_strength_and_exposure_have_sliders():
    controls = Controls(Lens())
    drawn(controls, move=("strength", 4.0))
    drawn(controls, move=("exposure", -2.0))
    assert (controls.strength, controls.exposure) == (4.0, -2.0)


def test_numbers_typed_into_sliders_stay_between_their_ends():
    controls = Controls(Lens())
    drawn(controls, move=("strength", 1e39))
    drawn(controls, move=("exposure", 5000.0))  # 2 to this power overflows
    assert (controls.strength, controls.exposure) == (8.0, 6.0)
