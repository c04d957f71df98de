"""The panel: sliders and buttons over `Controls`, drawn with ImGui (extra `ui`)."""

from __future__ import annotations

from typing import Any

from glfft.apps.bloom.controls import KEY_HELP, SLIDERS, WAYS, Controls
from glfft.apps.glare.lens import LENSES

_WIDTH = 310.0
_MARGIN = 12.0
_MOST_STRENGTH = 8.0


def draw_panel(imgui: Any, controls: Controls, scale: float, width: float) -> None:
    """Draw the panel at the right edge of a picture of a width in pixels, inside an open ImGui frame."""
    imgui.set_next_window_pos((width - (_WIDTH + _MARGIN) * scale, _MARGIN * scale), imgui.Cond_.first_use_ever)
    imgui.set_next_window_size((_WIDTH * scale, 0.0), imgui.Cond_.always)
    if imgui.begin("Bloom", None, imgui.WindowFlags_.no_resize)[0]:
        imgui.push_item_width(-92.0 * scale)
        for index, way in enumerate(WAYS):
            if index:
                imgui.same_line()
            if imgui.radio_button(way, way == controls.way):
                controls.way = way
        imgui.separator_text("lens")
        for index, (name, lens) in enumerate(LENSES.items()):
            if index:
                imgui.same_line()
            if imgui.button(name):
                controls.lens = lens
        _draw_sliders(imgui, controls)
        imgui.separator_text("picture")
        changed, strength = imgui.slider_float("strength", controls.strength, 0.0, _MOST_STRENGTH, "%.2f times")
        _tip(imgui, "Times the light that diffraction spreads.")
        if changed:
            controls.strength = max(0.0, strength)
        changed, exposure = imgui.slider_float("exposure", controls.exposure, -6.0, 6.0, "%+.1f stops")
        if changed:
            controls.exposure = exposure
        if imgui.button("other dust"):
            controls.other_dust()
        imgui.same_line()
        if imgui.button("reset"):
            controls.reset()
        imgui.same_line()
        if imgui.button("write a picture"):
            controls.screenshot = True
        if controls.message:
            imgui.push_text_wrap_pos(0.0)
            imgui.text(controls.message)
            imgui.pop_text_wrap_pos()
        if imgui.collapsing_header("keys"):
            for keys, does in KEY_HELP:
                imgui.text(keys)
                imgui.same_line(110.0 * scale)
                imgui.text_disabled(does)
        imgui.pop_item_width()
    imgui.end()


def _draw_sliders(imgui: Any, controls: Controls) -> None:
    for slider in SLIDERS:
        value = slider.shown(controls.lens)
        if slider.whole:
            changed, value = imgui.slider_int(slider.label, round(value), round(slider.lowest), round(slider.highest))
        else:
            digits = 2 if slider.highest <= 1 else 1
            changed, value = imgui.slider_float(slider.label, value, slider.lowest, slider.highest, f"%.{digits}f")
        _tip(imgui, slider.tip)
        if changed:
            controls.lens = slider.changed(controls.lens, value)


def _tip(imgui: Any, text: str) -> None:
    if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        imgui.push_text_wrap_pos(0.0)
        imgui.set_tooltip(text)
        imgui.pop_text_wrap_pos()
