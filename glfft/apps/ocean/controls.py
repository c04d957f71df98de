"""What a user can change in the window, by keys or in the panel, which ImGui draws (extra `ui`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import glfw

from glfft.apps.ocean.buoys import MOST_BUOYS
from glfft.apps.ocean.camera import Camera
from glfft.apps.ocean.quality import QUALITIES
from glfft.apps.ocean.shot import Shot, light_of_preset
from glfft.apps.program_window import WindowControls, overlay_box
from glfft.errors import GlfftError
from glfft.files import packaged_toml
from glfft.overlay import OPEN
from glfft.sea.compare import Way
from glfft.sea.presets import PRESETS, preset
from glfft.ui.widgets import Slider, begin_at_right, buttons, choice, draw_sliders, following, key_list, paragraph, tip
from glfft.ui.window import Window

_WIDTH, _WARNING = 330.0, (0.93, 0.70, 0.34, 1.0)


class Controls(WindowControls):
    """`shot` is the start."""

    def __init__(self, shot: Shot, overlay: str = OPEN) -> None:
        super().__init__(overlay=overlay)
        self.shot = shot
        self.quality = ""  # name of the quality wanted, or "" for the window's own choice
        self.measured = False  # whether the measurements are shown
        self.other = Way(dtype="f4")  # to compare with the sea shown
        self.compare = False  # wanted; set back when it is done
        self.reset()

    def reset(self) -> None:
        shot = self.shot
        self.settings, self.algorithm, self.weather = shot.settings, shot.algorithm, shot.weather()
        self.preset = shot.preset  # name of the preset that the sea goes to or has, or ""
        self.camera = shot.first_camera()
        self.on_path = 0.0 if shot.path else None  # s along the shot's path, or None while the camera is the user's
        self.buoys = shot.buoys  # how many float on the sea
        self.exposure = 0.0  # stops above the automatic exposure
        self.paused, self.message = False, ""

    def fly(self, camera: Camera, seconds: float) -> None:
        """Move to a camera, which leaves the shot's path; an unchanged one follows the path for some seconds."""
        if camera != self.camera:
            self.camera, self.on_path = camera, None
        path = self.shot.path
        if path is None or self.on_path is None or self.paused:
            return
        self.camera = path.at(self.on_path)
        self.on_path = self.on_path + seconds if self.on_path < path.duration else None

    def follow_path(self) -> None:
        if self.shot.path is None:
            self.message = "There is no camera path; start with --camera-path FILE.toml to have one."
        else:
            self.on_path = 0.0

    def float_buoys(self) -> None:
        """Put out buoys, as many as at the start or a dozen, or take them in."""
        self.buoys = 0 if self.buoys else self.shot.buoys or 12

    def change_sea(self, **changes: float) -> None:
        """Ask for another sea; an invalid value changes nothing, and `message` says why."""
        try:
            self.settings = replace(self.settings, **changes)  # pyright: ignore[reportArgumentType]
            self.preset = self.message = ""
        except GlfftError as error:
            self.message = str(error)

    def choose_preset(self, name: str) -> None:
        """Ask for the waves of a preset on the tiles there are, and for its light."""
        self.settings, self.preset, self.message = preset(name, self.settings), name, ""
        self.weather = replace(self.weather, **light_of_preset(name))

    def next_preset(self, step: int = 1) -> None:
        self.choose_preset(following(list(PRESETS), self.preset, step))

    def change_light(self, **changes: float) -> None:
        self.weather = replace(self.weather, **changes)


_PANEL = packaged_toml("glfft.apps.ocean", "controls.toml")
SEA_SLIDERS, LIGHT_SLIDERS = (tuple(Slider(**each) for each in _PANEL[part]) for part in ("sea", "light"))
_EXPOSURE = Slider("exposure", "exposure", "stops", -3.0, 3.0, "Brighter or darker than the automatic one.", digits=1)
KEY_HELP = tuple(_PANEL["keys"].items())


def key_lines() -> str:
    said = [f"{keys} {does}" for keys, does in KEY_HELP]
    return "\n".join("   ".join(said[at : at + 5]) for at in range(0, len(said), 5))


def press(key: int, modifiers: int, controls: Controls, algorithms: Sequence[str], quality: str) -> None:
    """Do what a key asks for; `algorithms` can be chosen, and `quality` is drawn now."""
    step, put = -1 if modifiers & glfw.MOD_SHIFT else 1, partial(setattr, controls)
    actions = controls.actions() | {
        glfw.KEY_TAB: partial(put, "algorithm", following(algorithms, controls.algorithm, step)),
        glfw.KEY_B: partial(controls.next_preset, -1),
        glfw.KEY_N: controls.next_preset,
        glfw.KEY_U: controls.float_buoys,
        glfw.KEY_C: controls.follow_path,
        glfw.KEY_V: partial(put, "quality", following(list(QUALITIES), quality)),
        glfw.KEY_R: controls.reset,
        glfw.KEY_M: partial(put, "measured", not controls.measured),
    }
    actions.get(key, lambda: None)()
    # GLFW's codes of printing keys are the characters of a US keyboard.
    character = chr(max(key, 0))
    of_sea = SEA_SLIDERS, controls.settings, controls.change_sea
    of_light = LIGHT_SLIDERS, controls.weather, controls.change_light
    for sliders, source, change in (of_sea, of_light):
        for slider in sliders:
            if character in (slider.less_key, slider.more_key):
                value = slider.stepped(slider.shown(source), character == slider.more_key)
                change(**{slider.name: value * slider.scale})


def fly(window: Window, controls: Controls, seconds: float, drag: tuple[float, float]) -> None:
    """Move the camera by the keys that are down, and turn it as the mouse drags the picture, in screen units."""

    def pull(more: int, less: int) -> int:
        return int(window.is_down(more)) - int(window.is_down(less))

    fast = window.is_down(glfw.KEY_LEFT_SHIFT) or window.is_down(glfw.KEY_RIGHT_SHIFT)
    distance, angle = (48.0 if fast else 8.0) * seconds, 0.9 * seconds  # m, rad
    right, up, forward = pull(glfw.KEY_D, glfw.KEY_A), pull(glfw.KEY_E, glfw.KEY_Q), pull(glfw.KEY_W, glfw.KEY_S)
    camera = controls.camera.moved(distance * right, distance * up, distance * forward)
    camera = camera.turned(angle * pull(glfw.KEY_RIGHT, glfw.KEY_LEFT), angle * pull(glfw.KEY_UP, glfw.KEY_DOWN))
    if any(drag):
        camera = camera.turned(-0.0022 * drag[0], 0.0022 * drag[1])  # the horizon follows the mouse
    controls.fly(camera, seconds)


@dataclass(frozen=True)
class Readings:
    algorithms: Mapping[str, str]  # name to one-line summary
    step_ms: Mapping[str, float]  # name to the last time of a frame's waves, from evolution to fields
    timer: str  # the clock of those times
    significant_height: float  # m
    time: float  # s
    tuning: str  # progress or result of tuning, or ""
    caution: str  # a warning about the settings, or ""
    quality: str = "high"  # name of the one that is drawn


def draw_panel(imgui: Any, controls: Controls, readings: Readings, scale: float, width: float) -> None:
    """Draw the panel at the right edge of a picture of a width in pixels, inside an open ImGui frame."""
    # In a narrower picture the open panel would cover the overlay.
    imgui.set_next_window_collapsed(width < 800.0 * scale, imgui.Cond_.first_use_ever)
    if begin_at_right(imgui, "Ocean", _WIDTH, scale, width):
        imgui.push_item_width(-92.0 * scale)
        imgui.text_disabled(f"wave height {readings.significant_height:.2f} m    time {readings.time:.1f} s")
        if imgui.begin_combo("preset", controls.preset or "of your own"):
            for name in PRESETS:
                if imgui.selectable(name, name == controls.preset)[0]:
                    controls.choose_preset(name)
            imgui.end_combo()
        tip(imgui, "A sea by name. The waves change within some seconds, without a jump.")
        draw_sliders(imgui, SEA_SLIDERS, controls.settings, controls.change_sea)
        # Below the sliders that bring it about, which must not move while they are dragged.
        paragraph(imgui, readings.caution, *_WARNING)
        controls.buoys = min(max(imgui.slider_int("buoys", controls.buoys, 0, MOST_BUOYS)[1], 0), MOST_BUOYS)
        tip(imgui, "Marks of a channel that ride on the waves.")
        imgui.separator_text("light")
        draw_sliders(imgui, LIGHT_SLIDERS, controls.weather, controls.change_light)
        draw_sliders(imgui, (_EXPOSURE,), controls, lambda **changes: vars(controls).update(changes))
        said = "Quality: of the mesh and the filters; minimal and low draw fewer pixels too."
        if (quality := choice(imgui, QUALITIES, readings.quality, said)) != readings.quality:
            controls.quality = quality
        imgui.separator_text("transform")
        if readings.tuning:
            imgui.text_disabled(readings.tuning)
        _draw_algorithms(imgui, controls, readings)
        imgui.separator()
        _draw_buttons(imgui, controls)
        paragraph(imgui, controls.message, *_WARNING)
        key_list(imgui, KEY_HELP, 150.0 * scale)
        imgui.pop_item_width()
    imgui.end()


def _draw_algorithms(imgui: Any, controls: Controls, readings: Readings) -> None:
    for name, summary in readings.algorithms.items():
        if imgui.radio_button(name, name == controls.algorithm):
            controls.algorithm = name
        tip(imgui, summary)
        if name in readings.step_ms:
            text = f"{readings.step_ms[name]:.2f} ms"
            imgui.same_line(imgui.get_window_width() - imgui.calc_text_size(text).x - imgui.get_font_size())
            imgui.text_colored((0.88, 0.90, 0.92, 1.0) if name == controls.algorithm else (0.53, 0.56, 0.60, 1.0), text)
    imgui.text_disabled(f"waves of a frame, {readings.timer}")


def _draw_buttons(imgui: Any, controls: Controls) -> None:
    pause = partial(setattr, controls, "paused", not controls.paused)
    for label, act, said in (
        ("resume" if controls.paused else "pause", pause, "Stop the sea; the camera can still move."),
        ("screenshot", partial(setattr, controls, "screenshot", True),
            "Write the picture, without panel and overlay, into the folder out."),
        ("reset", controls.reset, "Go back to the sea, light and camera of the start."),
    ):  # fmt: skip
        buttons(imgui, {label: act})
        tip(imgui, said)
        imgui.same_line()
    controls.overlay = overlay_box(imgui, controls.overlay)
    tip(imgui, "Show the time of each section of a frame.")
