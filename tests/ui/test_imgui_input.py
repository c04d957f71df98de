"""Keys, clicks and text of a window reach the panels and the program."""

from __future__ import annotations

import pytest
from support.displays import python

pytest.importorskip("imgui_bundle")

_WINDOW_SCRIPT = """
import glfw
from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.window import Window

heard = []


def send(setter, *event):
    callback = setter(window.handle, None)
    setter(window.handle, callback)
    callback(window.handle, *event)


with Window("input", (300, 200)) as window:
    window.on_key(lambda key, modifiers: heard.append(key))
    layer = ImguiLayer(window.ctx, window)
    io = layer.imgui.get_io()
    pressed = typed = ""
    for step in range(14):
        window.poll()
        if step in (2, 3):  # before the click, which may take the focus from the panel
            action = glfw.PRESS if step == 2 else glfw.RELEASE
            send(glfw.set_key_callback, glfw.KEY_TAB, 0, action, 0)
        if step == 6:
            assert not layer.wants_keyboard, "Tab opened a field, which takes the program's keys away"
            assert heard == [glfw.KEY_TAB]
            heard.clear()
            send(glfw.set_mouse_button_callback, 0, glfw.PRESS, 0)
        if step == 7:
            send(glfw.set_mouse_button_callback, 0, glfw.RELEASE, 0)
        if step == 12:
            send(glfw.set_char_callback, ord("7"))
            send(glfw.set_key_callback, glfw.KEY_A, 0, glfw.PRESS, glfw.MOD_SHIFT)
        with layer.frame() as imgui:
            imgui.set_next_window_pos((0, 0))
            imgui.set_next_window_size((300, 200))
            imgui.begin("panel")
            if step == 9:
                imgui.set_keyboard_focus_here()
            typed = imgui.input_text("words", typed)[1]
            imgui.end()
        window.swap()
        if step == 6:
            assert io.mouse_down[0]
    assert typed == "7", typed
    assert layer.wants_keyboard
    assert heard == [], "a key typed into a field reached the program"
    layer.release()
    send(glfw.set_key_callback, glfw.KEY_A, 0, glfw.PRESS, 0)
    assert heard == [glfw.KEY_A]
    send(glfw.set_scroll_callback, 0.0, 1.0)  # the package glfw would call a None that was set before
print("heard and typed")
"""


@pytest.mark.window
def test_a_window_feeds_panels() -> None:
    finished = python("-c", _WINDOW_SCRIPT, display=True)
    assert finished.returncode == 0, finished.stderr
