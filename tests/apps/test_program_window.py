"""What windows of programs share: keys that all have, the overlay's box, and screenshots that are told of."""

from __future__ import annotations

from typing import Any

import glfw
import pytest
from support.displays import python
from support.panels import Panel

from glfft.apps.program_window import WindowControls, overlay_box


@pytest.mark.parametrize("key", [glfw.KEY_SPACE, glfw.KEY_H])
def test_a_switch_goes_on_and_off(key: int) -> None:
    controls = WindowControls()
    before = vars(controls).copy()
    controls.press(key)
    assert vars(controls) != before
    controls.press(key)
    assert vars(controls) == before


def test_the_overlay_folds_goes_and_comes_back_by_its_key_and_its_box() -> None:
    controls, seen = WindowControls(), []
    for _ in range(3):
        controls.press(glfw.KEY_O)
        seen.append(controls.overlay)
    assert seen == ["folded", "hidden", "open"]
    pressed: Any = Panel(press="overlay")
    assert [overlay_box(pressed, view) for view in ("open", "folded", "hidden")] == ["hidden", "hidden", "open"]
    untouched: Any = Panel()
    assert overlay_box(untouched, "folded") == "folded"


_PROGRAM = """
from contextlib import ExitStack
from pathlib import Path
import glfw
import numpy as np
from glfft.apps.program_window import ProgramWindow, WindowControls
from glfft.ui.window import Window

class Seen(Window):
    def toggle_full_screen(self):
        print("full screen")

scales, controls = [], WindowControls()
with Seen("test", (96, 64)) as window, ExitStack() as stack:
    shown = ProgramWindow("test", window, controls, stack)
    for step, _ in enumerate(window.frames()):
        glfw.get_window_content_scale = lambda handle, scale=1.0 + (step > 0): (scale, scale)
        with shown._profiler.frame():
            shown._draw_over(lambda imgui, scale: scales.append(scale))
        shown._on_key((glfw.KEY_P, glfw.KEY_F11, glfw.KEY_ESCAPE)[step], 0)
        if controls.screenshot:
            shown._save_screenshot(lambda: np.zeros((4, 5, 3), np.uint8))
            Path("out/test-001.png").unlink()
            Path("out").rmdir()
            Path("out").write_text("a file")
            shown._save_screenshot(lambda: np.zeros((4, 5, 3), np.uint8))
print(scales, controls.screenshot, controls.message)
"""


@pytest.mark.window
def test_a_window_takes_screenshots_keys_and_another_scale(folder) -> None:
    pytest.importorskip("imgui_bundle")
    done = python("-c", _PROGRAM, display=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:2] == ["out/test-001.png", "full screen"]
    last = done.stdout.splitlines()[-1]
    assert last.startswith("[1.0, 2.0, 2.0] False ")
    # Why the second screenshot failed is told in the panel and on standard error.
    assert done.stderr == f"glfft test: {last.removeprefix('[1.0, 2.0, 2.0] False ')}\n"
