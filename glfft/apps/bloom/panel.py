"""The panel: sliders and buttons over `Controls`, drawn with ImGui (extra `ui`)."""

from functools import partial
from typing import Any

from glfft.apps.bloom.controls import KEY_HELP, SLIDERS, WAYS, Controls
from glfft.apps.glare.lens import LENSES
from glfft.ui.widgets import begin_at_right, buttons, key_list, tip

_WIDTH = 310.0
_MOST_STRENGTH = 8.0


def draw_panel(imgui: Any, controls: Controls, scale: float, width: float) -> None:
    """Draw the panel at the right edge of a picture of a width in pixels, inside an open ImGui frame."""
    if begin_at_right(imgui, "Bloom", _WIDTH, scale, width):
        imgui.push_item_width(-92.0 * scale)
        for index, way in enumerate(WAYS):
            if index:
                imgui.same_line()
            if imgui.radio_button(way, way == controls.way):
                controls.way = way
        imgui.separator_text("lens")
        buttons(imgui, {name: partial(setattr, controls, "lens", lens) for name, lens in LENSES.items()})
        _draw_sliders(imgui, controls)
        imgui.separator_text("picture")
        changed, strength = imgui.slider_float("strength", controls.strength, 0.0, _MOST_STRENGTH, "%.2f times")
        tip(imgui, "Times the light that diffraction spreads.")
        if changed:
            controls.strength = max(0.0, strength)
        changed, exposure = imgui.slider_float("exposure", controls.exposure, -6.0, 6.0, "%+.1f stops")
        if changed:
            controls.exposure = exposure
        write = partial(setattr, controls, "screenshot", True)
        buttons(imgui, {"other dust": controls.other_dust, "reset": controls.reset, "write a picture": write})
        if controls.message:
            imgui.push_text_wrap_pos(0.0)
            imgui.text(controls.message)
            imgui.pop_text_wrap_pos()
        key_list(imgui, KEY_HELP, 110.0 * scale)
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
        tip(imgui, slider.tip)
        if changed:
            controls.lens = slider.changed(controls.lens, value)
