"""Keys and sliders of the window, as changes of what is asked for."""

from __future__ import annotations

from dataclasses import replace

import glfw
import pytest
from support.panels import Panel

from glfft.apps.bloom.window import KEY_HELP, SLIDERS, Controls, draw_panel
from glfft.apps.glare.lens import EYE, LENSES, Lens
from glfft.ui.widgets import Slider


def moved(slider: Slider, value: float) -> Lens:
    """The lens after a slider was moved."""
    controls = Controls(Lens())
    draw_panel(Panel(move=(slider.label, value)), controls, 1.0, 1280.0)
    return controls.lens


@pytest.mark.parametrize("slider", SLIDERS, ids=lambda slider: slider.name)
def test_a_slider_shows_what_it_sets(slider):
    for share in (0.0, 0.3, 1.0, 1.5, -0.2):
        value = slider.lowest + share * (slider.highest - slider.lowest)
        lens = moved(slider, value)
        held = min(max(value, slider.lowest), slider.highest)
        assert slider.shown(lens) == pytest.approx(held, abs=0.5 if slider.digits == 0 else 1e-9)
        # Nothing else has changed.
        assert replace(lens, **{slider.name: getattr(Lens(), slider.name)}) == Lens()


@pytest.mark.parametrize(("asked", "blades"), [(0, 0), (1, 0), (2, 3), (3, 3), (9, 9)])
def test_no_aperture_has_one_blade_or_two(asked, blades):
    slider = next(each for each in SLIDERS if each.name == "blades")
    assert moved(slider, asked).blades == blades


def test_a_and_x_choose_what_is_shown():
    controls = Controls(Lens())
    seen = [controls.way]
    for key in (glfw.KEY_A, glfw.KEY_A, glfw.KEY_X, glfw.KEY_X, glfw.KEY_X, glfw.KEY_A):
        controls.press(key)
        seen.append(controls.way)
    assert seen == ["lens", "mipmaps", "lens", "original", "lens", "original", "lens"]


@pytest.mark.parametrize(
    ("key", "name"),
    [
        (glfw.KEY_SPACE, "paused"),
        (glfw.KEY_H, "panel"),
        (glfw.KEY_P, "screenshot"),
    ],
)
def test_a_key_turns_its_switch(key, name):
    controls = Controls(Lens())
    before = getattr(controls, name)
    controls.press(key)
    assert getattr(controls, name) == (not before)


def test_the_overlay_folds_goes_and_comes_back():
    controls, seen = Controls(Lens()), []
    for _ in range(3):
        controls.press(glfw.KEY_O)
        seen.append(controls.overlay)
    assert seen == ["folded", "hidden", "open"]


def test_lenses_come_round_and_reset_goes_back():
    own = Lens(blades=11)
    controls = Controls(own, 2.0, -1.5)
    seen = []
    for _ in range(len(LENSES)):
        controls.press(glfw.KEY_L)
        seen.append(controls.lens)
    assert seen == list(LENSES.values())
    controls.press(glfw.KEY_N)
    assert controls.lens == replace(EYE, seed=EYE.seed + 1)
    controls.strength, controls.exposure = 5.0, 3.0
    controls.press(glfw.KEY_R)
    assert (controls.lens, controls.strength, controls.exposure) == (own, 2.0, -1.5)


def test_a_key_without_a_meaning_changes_nothing():
    controls = Controls(Lens())
    before = vars(controls).copy()
    controls.press(glfw.KEY_Y)
    assert vars(controls) == before
    assert all(keys and does for keys, does in KEY_HELP)
