"""Mouse and keyboard from a GLFW window to Dear ImGui, by the package `glfw`: imgui-bundle's own backend works only
with its own copy of the GLFW library.
"""

import string
from typing import Any

import glfw

# Names of keys: GLFW's, in capitals, and Dear ImGui's, which are often the same.
_SAME = ["tab", "page_up", "page_down", "home", "end", "insert", "delete", "backspace", "space", "enter", "escape"]
_NAMED_KEYS = {
    **{name.upper(): name for name in (*_SAME, *string.ascii_lowercase)},
    **{way: f"{way.lower()}_arrow" for way in ("LEFT", "RIGHT", "UP", "DOWN")},
    **{f"LEFT_{name}": f"left_{name.lower()}" for name in ("SHIFT", "ALT", "SUPER")},
    **{f"RIGHT_{name}": f"right_{name.lower()}" for name in ("SHIFT", "ALT", "SUPER")},
    "LEFT_CONTROL": "left_ctrl",
    "RIGHT_CONTROL": "right_ctrl",
    "KP_ENTER": "keypad_enter",
}
_MODIFIERS = {
    glfw.MOD_CONTROL: "mod_ctrl",
    glfw.MOD_SHIFT: "mod_shift",
    glfw.MOD_ALT: "mod_alt",
    glfw.MOD_SUPER: "mod_super",
}


class ImguiInput:
    """Passes the events of a GLFW window to one ImGui IO object, and to the callbacks that were set before: keys and
    characters not while a text field has the focus.
    """

    def __init__(self, imgui: Any, io: Any, handle: Any) -> None:
        self._io = io
        self._handle = handle
        self._keys = {getattr(glfw, f"KEY_{ours}"): getattr(imgui.Key, its) for ours, its in _NAMED_KEYS.items()}
        self._modifiers = {bit: getattr(imgui.Key, name) for bit, name in _MODIFIERS.items()}
        handlers = {
            glfw.set_scroll_callback: self._on_scroll,
            glfw.set_mouse_button_callback: self._on_button,
            glfw.set_key_callback: self._on_key,
            glfw.set_char_callback: self._on_character,
            glfw.set_window_focus_callback: self._on_focus,
        }
        # By their setters: the callbacks that were set before.
        self._earlier: dict[Any, Any] = {setter: setter(handle, handler) for setter, handler in handlers.items()}

    def poll(self) -> None:
        """Tell ImGui the mouse's position, in pixels of the framebuffer; call it once a frame."""
        x, y = glfw.get_cursor_pos(self._handle)
        # On macOS and Wayland a window's units may be several pixels, and the cursor is reported in units.
        units, pixels = glfw.get_window_size(self._handle), glfw.get_framebuffer_size(self._handle)
        self._io.add_mouse_pos_event(x * pixels[0] / max(1, units[0]), y * pixels[1] / max(1, units[1]))

    def release(self) -> None:
        for setter, earlier in self._earlier.items():
            setter(self._handle, earlier)
        self._earlier.clear()

    def _pass_on(self, setter: Any, *arguments: Any) -> None:
        if self._earlier[setter] is not None:
            self._earlier[setter](*arguments)

    def _on_scroll(self, window: Any, x: float, y: float) -> None:
        self._io.add_mouse_wheel_event(x, y)
        self._pass_on(glfw.set_scroll_callback, window, x, y)

    def _on_button(self, window: Any, button: int, action: int, modifiers: int) -> None:
        # A click may begin and end between two frames. ImGui queues events; polling would lose it.
        if button < 5:
            self._io.add_mouse_button_event(button, action == glfw.PRESS)
        self._pass_on(glfw.set_mouse_button_callback, window, button, action, modifiers)

    def _on_key(self, window: Any, key: int, scancode: int, action: int, modifiers: int) -> None:
        for bit, name in self._modifiers.items():
            self._io.add_key_event(name, bool(modifiers & bit))
        # Outside a text field, Tab would open the panel's first one, which would then take the program's keys.
        stray_tab = key == glfw.KEY_TAB and action == glfw.PRESS and not self._io.want_text_input
        if key in self._keys and action != glfw.REPEAT and not stray_tab:
            self._io.add_key_event(self._keys[key], action == glfw.PRESS)
        if not self._io.want_text_input:
            self._pass_on(glfw.set_key_callback, window, key, scancode, action, modifiers)

    def _on_character(self, window: Any, character: int) -> None:
        self._io.add_input_character(character)
        if not self._io.want_text_input:
            self._pass_on(glfw.set_char_callback, window, character)

    def _on_focus(self, window: Any, focused: int) -> None:
        self._io.add_focus_event(bool(focused))
        self._pass_on(glfw.set_window_focus_callback, window, focused)
