"""A board as a picture, and in a window for so many frames."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import moderngl
import numpy as np
import pytest
from support.displays import python

from glfft.apps import plots as boards
from glfft.apps.plots import BACKGROUND, BRIGHT
from glfft.overlay.shapes import Canvas
from glfft.ui.imgui_layer import ImguiLayer

SIZE = (120, 80)


def test_a_picture_has_its_top_row_first(ctx: moderngl.Context) -> None:
    pytest.importorskip("imgui_bundle")
    layer = ImguiLayer(ctx, scale=1.0)
    devices = []

    def draw(size: tuple[int, int], device: str) -> None:
        devices.append(device)
        Canvas(layer, 1.0, 0, 0).box(0, 0, size[0], 20, BRIGHT)

    picture = boards.draw_board(ctx, layer, SIZE, draw)
    layer.release()
    assert devices == [ctx.info["GL_RENDERER"]]
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    assert (picture[1:19, 1:-1] == picture[5, 5]).all()
    assert picture[5, 5].min() > 200
    assert np.abs(picture[21:] - np.round(255 * np.array(BACKGROUND[:3]))).max() <= 1


_SHOW = """
import contextlib
import glfw
from glfft.apps import plots as boards

class Window(boards.Window):
    def on_key(self, callback):
        global press
        press = callback

class Board:
    keys = "K: key"
    def step(self, window, paused):
        calls.append("pause" if paused else "step")
    def draw(self, size, device):
        calls.append("draw")
        press(presses.get(calls.count("draw"), glfw.KEY_K), 0)
    def on_key(self, key, modifiers):
        calls.append(key == glfw.KEY_K)

@contextlib.contextmanager
def make(ctx, layer):
    yield Board()

boards.Window = Window
for frames, presses in ((3, {}), (None, {1: glfw.KEY_SPACE, 2: glfw.KEY_ESCAPE})):
    calls = []
    boards.open_board("boards", (64, 48), make, frames, TRACE if frames else None)
    print(calls)
"""


@pytest.mark.window
def test_a_window_steps_and_draws_in_turn_for_its_frames_or_until_a_key_closes_it(tmp_path: Path) -> None:
    pytest.importorskip("imgui_bundle")
    trace = tmp_path / "boards.trace.json"
    done = python("-c", f"TRACE = {str(trace)!r}\n{_SHOW}", display=True)
    assert done.returncode == 0, done.stderr
    keys, written, first, same_keys, second = done.stdout.splitlines()
    assert written == str(trace)
    sections = [each["args"]["section"] for each in json.loads(trace.read_text())["traceEvents"] if each["ph"] == "X"]
    assert (sections.count("step"), sections.count("draw")) == (sections.count("frame"),) * 2
    assert keys == same_keys == "K: key"
    assert ast.literal_eval(first) == ["step", "draw", True] * 3
    assert ast.literal_eval(second) == ["step", "draw", "pause", "draw"]
