"""The panel: sliders and buttons over `Controls`, drawn with ImGui (extra `ui`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from glfft.apps.ocean.buoys import MOST_BUOYS
from glfft.apps.ocean.controls import KEY_HELP, LIGHT_SLIDERS, SEA_SLIDERS, Controls, Slider
from glfft.apps.ocean.quality import LEAST_SCALE, QUALITIES
from glfft.apps.ocean.sky import Weather
from glfft.overlay.overlay import HIDDEN, OPEN
from glfft.sea.presets import PRESETS
from glfft.sea.settings import OceanSettings
from glfft.ui.widgets import begin_at_right, key_list, tip

_WIDTH = 330.0

# In a narrower picture the open panel would cover the overlay.
_ROOM_FOR_BOTH = 800.0


@dataclass(frozen=True)
class Readings:
    """What the panel shows besides the controls."""

    algorithms: Mapping[str, str]  # name to one-line summary
    step_ms: Mapping[str, float]  # name to the last time of a frame's waves, from evolution to fields
    timer: str  # the clock of those times
    significant_height: float  # m
    time: float  # s
    tuning: str  # progress or result of tuning, or ""
    caution: str  # a warning about the settings, or ""
    quality: str = "high"  # name of the one that is drawn
    render_scale: float = 1.0  # share of the window's width and height that is drawn


def draw_panel(imgui: Any, controls: Controls, readings: Readings, scale: float, width: float) -> None:
    """Draw the panel at the right edge of a picture of a width in pixels, inside an open ImGui frame."""
    imgui.set_next_window_collapsed(width < _ROOM_FOR_BOTH * scale, imgui.Cond_.first_use_ever)
    if begin_at_right(imgui, "Ocean", _WIDTH, scale, width):
        imgui.push_item_width(-92.0 * scale)
        imgui.text_disabled(f"wave height {readings.significant_height:.2f} m    time {readings.time:.1f} s")
        _draw_presets(imgui, controls)
        _draw_sliders(imgui, SEA_SLIDERS, controls.settings, controls.change_sea)
        # Below the sliders that bring it about, which must not move while they are dragged.
        _draw_warning(imgui, readings.caution)
        changed, count = imgui.slider_int("buoys", controls.buoys, 0, MOST_BUOYS)
        tip(imgui, "Marks of a channel that ride on the waves.")
        if changed:
            controls.buoys = min(max(count, 0), MOST_BUOYS)
        imgui.separator_text("light")
        _draw_sliders(imgui, LIGHT_SLIDERS, controls.weather, controls.change_light)
        changed, exposure = imgui.slider_float("exposure", controls.exposure, -3.0, 3.0, "%+.1f stops")
        tip(imgui, "Brighter or darker than the automatic exposure.")
        if changed:
            controls.exposure = exposure
        for index, name in enumerate(QUALITIES):
            if index:
                imgui.same_line()
            if imgui.radio_button(name, name == readings.quality):
                controls.quality = name
            tip(imgui, "Quality: of the mesh and the filters; minimal and low draw fewer pixels too.")
        changed, share = imgui.slider_float("drawn", readings.render_scale, LEAST_SCALE, 1.0, "%.2f of the width")
        tip(imgui, "The share of the width and height that is drawn and then enlarged. Screenshots are drawn whole.")
        if changed:
            controls.render_scale = min(max(share, LEAST_SCALE), 1.0)
        imgui.separator_text("transform")
        if readings.tuning:
            imgui.text_disabled(readings.tuning)
        _draw_algorithms(imgui, controls, readings)
        imgui.separator()
        _draw_buttons(imgui, controls)
        _draw_warning(imgui, controls.message)
        key_list(imgui, KEY_HELP, 150.0 * scale)
        imgui.pop_item_width()
    imgui.end()


def _draw_presets(imgui: Any, controls: Controls) -> None:
    if imgui.begin_combo("preset", controls.preset or "of your own"):
        for name in PRESETS:
            if imgui.selectable(name, name == controls.preset)[0]:
                controls.choose_preset(name)
        imgui.end_combo()
    tip(imgui, "A sea by name. The waves change within some seconds, without a jump.")


def _draw_sliders(imgui: Any, sliders: tuple[Slider, ...], source: OceanSettings | Weather, change: Any) -> None:
    for slider in sliders:
        digits = 0 if slider.highest >= 90 else 1 if slider.highest > 5 else 2
        # A printf format for ImGui: a unit must not have a per cent sign.
        shown = f"%.{digits}f {slider.unit}".strip()
        flags = imgui.SliderFlags_.logarithmic if slider.logarithmic else imgui.SliderFlags_.none
        flags |= imgui.SliderFlags_.always_clamp
        changed, value = imgui.slider_float(
            slider.label, slider.shown(source), slider.lowest, slider.highest, shown, flags
        )
        tip(imgui, slider.tip)
        if changed:
            change(**{slider.name: value * slider.scale})


def _draw_algorithms(imgui: Any, controls: Controls, readings: Readings) -> None:
    for name, summary in readings.algorithms.items():
        chosen = imgui.radio_button(name, name == controls.algorithm)
        tip(imgui, summary)
        if chosen:
            controls.algorithm = name
        if name in readings.step_ms:
            text = f"{readings.step_ms[name]:.2f} ms"
            imgui.same_line(imgui.get_window_width() - imgui.calc_text_size(text).x - imgui.get_font_size())
            imgui.text_colored((0.88, 0.90, 0.92, 1.0) if name == controls.algorithm else (0.53, 0.56, 0.60, 1.0), text)
    imgui.text_disabled(f"waves of a frame, {readings.timer}")


def _draw_buttons(imgui: Any, controls: Controls) -> None:
    if imgui.button("resume" if controls.paused else "pause"):
        controls.paused = not controls.paused
    tip(imgui, "Stop the sea; the camera can still move.")
    imgui.same_line()
    if imgui.button("screenshot"):
        controls.screenshot = True
    tip(imgui, "Write the picture, without panel and overlay, into the folder out.")
    imgui.same_line()
    if imgui.button("reset"):
        controls.reset()
    tip(imgui, "Go back to the sea, light and camera of the start.")
    imgui.same_line()
    changed, shown = imgui.checkbox("overlay", controls.overlay != HIDDEN)
    if changed:
        controls.overlay = OPEN if shown else HIDDEN
    tip(imgui, "Show the time of each section of a frame.")


def _draw_warning(imgui: Any, sentence: str) -> None:
    if sentence:
        imgui.push_text_wrap_pos(0.0)
        imgui.text_colored((0.93, 0.70, 0.34, 1.0), sentence)
        imgui.pop_text_wrap_pos()
