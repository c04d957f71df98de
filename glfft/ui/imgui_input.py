"""Mouse and keyboard from a GLFW window to Dear ImGui: imgui-bundle's own backend needs its own GLFW library."""

import string
from collections.abc import Callable
from typing import Any

import glfw

# Names of keys: GLFW's, in capitals, and Dear ImGui's, which are often the same.
_SAME = ["tab", "page_up", "page_down", "home", "end", "insert", "delete", "backspace", "space", "enter", "escape"]
_NAMED_KEYS = {
    **{name.upper(): name for name in (*_SAME, *string.ascii_lowercase)},
    **{way: f"{way.lower()}_arrow" for way in ("LEFT", "RIGHT", "UP", "DOWN")},
    **{name: name.lower() for side in ("LEFT", "RIGHT") for name in (f"{side}_SHIFT", f"{side}_ALT", f"{side}_SUPER")},
    "LEFT_CONTROL": "left_ctrl",
    "RIGHT_CONTROL": "right_ctrl",
    "KP_ENTER": "keypad_enter",
}
_MODIFIERS = {"CONTROL": "mod_ctrl", "SHIFT": "mod_shift", "ALT": "mod_alt", "SUPER": "mod_super"}


class ImguiInput:
    """Passes a GLFW window's events to ImGui's IO object and, but for typing, to the callbacks set before."""

    def __init__(self, imgui: Any, io: Any, handle: Any) -> None:
        self._io, self._handle = io, handle
        self._keys = {getattr(glfw, f"KEY_{ours}"): getattr(imgui.Key, its) for ours, its in _NAMED_KEYS.items()}
        self._modifiers = {getattr(glfw, f"MOD_{ours}"): getattr(imgui.Key, its) for ours, its in _MODIFIERS.items()}
        self._earlier: dict[Any, Any] = {}  # by their setters: the callbacks that were set before
        self._listen(glfw.set_scroll_callback, io.add_mouse_wheel_event)
        self._listen(glfw.set_mouse_button_callback, self._on_button)
        self._listen(glfw.set_key_callback, self._on_key, is_typed=True)
        self._listen(glfw.set_char_callback, io.add_input_character, is_typed=True)
        self._listen(glfw.set_window_focus_callback, lambda focused: io.add_focus_event(bool(focused)))

    def poll(self) -> None:
        """Tell ImGui the mouse's position, in pixels of the framebuffer; call it once a frame."""
        self._io.add_mouse_pos_event(*pixel_of(self._handle, *glfw.get_cursor_pos(self._handle)))

    def release(self) -> None:
        for setter, earlier in self._earlier.items():
            setter(self._handle, earlier or (lambda *_event: None))  # the package glfw would call None
        self._earlier.clear()

    def _listen(self, setter: Any, tell: Callable[..., None], is_typed: bool = False) -> None:
        """Tell of a kind of event, and then the callback that was set before: not of what a text field gets."""

        def on_event(window: Any, *event: Any) -> None:
            tell(*event)
            earlier = self._earlier[setter]
            if earlier is not None and not (is_typed and self._io.want_text_input):
                earlier(window, *event)

        self._earlier[setter] = setter(self._handle, on_event)

    def _on_button(self, button: int, action: int, _modifiers: int) -> None:
        # A click may begin and end between two frames. ImGui queues events; polling would lose it.
        if button < 5:
            self._io.add_mouse_button_event(button, action == glfw.PRESS)

    def _on_key(self, key: int, _scancode: int, action: int, modifiers: int) -> None:
        for bit, name in self._modifiers.items():
            self._io.add_key_event(name, bool(modifiers & bit))
        # Outside a text field, Tab would open the panel's first one, which would then take the program's keys.
        stray_tab = key == glfw.KEY_TAB and action == glfw.PRESS and not self._io.want_text_input
        if key in self._keys and action != glfw.REPEAT and not stray_tab:
            self._io.add_key_event(self._keys[key], action == glfw.PRESS)


def pixel_of(handle: Any, x: float, y: float) -> tuple[float, float]:
    """The pixel of a window's framebuffer at a place in its units: on macOS and Wayland one may be several pixels."""
    units, pixels = glfw.get_window_size(handle), glfw.get_framebuffer_size(handle)
    return x * pixels[0] / max(1, units[0]), y * pixels[1] / max(1, units[1])
