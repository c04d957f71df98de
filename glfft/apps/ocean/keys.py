"""Keys and mouse of the window, as changes of `Controls`."""

from __future__ import annotations

from collections.abc import Sequence

import glfw

from glfft.apps.ocean.controls import LIGHT_SLIDERS, SEA_SLIDERS, Controls
from glfft.ui.window import Window

_FLIGHT_SPEED = 8.0  # m/s
_FAST = 6.0  # times that, with Shift
_LOOK_PER_PIXEL = 0.0022  # rad
_LOOK_PER_SECOND = 0.9  # rad/s, with the arrow keys

# Keys that turn something on or off.
_SWITCHES = {glfw.KEY_SPACE: "paused", glfw.KEY_O: "overlay", glfw.KEY_H: "panel", glfw.KEY_M: "measured"}


def press(key: int, modifiers: int, controls: Controls, algorithms: Sequence[str], quality: str) -> None:
    """Do what a key asks for; `algorithms` can be chosen, and `quality` is drawn now."""
    backwards = bool(modifiers & glfw.MOD_SHIFT)
    actions = {
        glfw.KEY_TAB: lambda: controls.next_algorithm(list(algorithms), -1 if backwards else 1),
        glfw.KEY_B: lambda: controls.next_preset(-1),
        glfw.KEY_N: controls.next_preset,
        glfw.KEY_U: controls.float_buoys,
        glfw.KEY_C: controls.follow_path,
        glfw.KEY_V: lambda: controls.next_quality(quality),
        glfw.KEY_R: controls.reset,
    }
    if key in _SWITCHES:
        setattr(controls, _SWITCHES[key], not getattr(controls, _SWITCHES[key]))
    elif key == glfw.KEY_P:
        controls.screenshot = True
    elif key in actions:
        actions[key]()
    else:
        _slide(key, controls)


def _slide(key: int, controls: Controls) -> None:
    """Change a setting by its keys; GLFW's codes of printing keys are the characters of a US keyboard."""
    for sliders, source, change in (
        (SEA_SLIDERS, controls.settings, controls.change_sea),
        (LIGHT_SLIDERS, controls.weather, controls.change_light),
    ):
        for slider in sliders:
            for character, up in ((slider.less_key, False), (slider.more_key, True)):
                if character and key == ord(character):
                    change(**{slider.name: slider.stepped(slider.shown(source), up) * slider.scale})


def fly(window: Window, controls: Controls, seconds: float, drag: tuple[float, float]) -> None:
    """Move the camera by the keys that are down, and turn it as the mouse drags the picture, in screen units."""

    def pull(more: int, less: int) -> int:
        return int(window.is_down(more)) - int(window.is_down(less))

    fast = window.is_down(glfw.KEY_LEFT_SHIFT) or window.is_down(glfw.KEY_RIGHT_SHIFT)
    distance, angle = _FLIGHT_SPEED * (_FAST if fast else 1.0) * seconds, _LOOK_PER_SECOND * seconds
    camera = controls.camera.moved(
        distance * pull(glfw.KEY_D, glfw.KEY_A),
        distance * pull(glfw.KEY_E, glfw.KEY_Q),
        distance * pull(glfw.KEY_W, glfw.KEY_S),
    )
    camera = camera.turned(angle * pull(glfw.KEY_RIGHT, glfw.KEY_LEFT), angle * pull(glfw.KEY_UP, glfw.KEY_DOWN))
    if any(drag):
        # The horizon follows the mouse.
        camera = camera.turned(-_LOOK_PER_PIXEL * drag[0], _LOOK_PER_PIXEL * drag[1])
    controls.fly(camera, seconds)
