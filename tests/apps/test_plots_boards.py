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
from glfft.overlay.shapes import Box
from glfft.profiling.profiler import Profiler

SIZE = (128, 72)


class Striped(boards.Board):
    """A board with a bright stripe at the top once it is filled."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.filled = False

    def fill(self, profiler: Profiler | None) -> None:
        self.filled = True

    def draw(self, page: boards.Page) -> None:
        if self.filled:
            page.box(0, 0, boards.WIDTH, 180, BRIGHT)


def test_a_picture_has_its_top_row_first(ctx: moderngl.Context) -> None:
    pytest.importorskip("imgui_bundle")
    picture = boards.draw_board(ctx, SIZE, Striped)
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    assert (picture[1:17, 1:-1] == picture[5, 5]).all()
    assert picture[5, 5].min() > 200
    assert np.abs(picture[19:] - np.round(255 * np.array(BACKGROUND[:3]))).max() <= 1


class Worded(Striped):
    def draw(self, page: boards.Page) -> None:
        page.title("a board", "in few pixels")
        with page.plot(Box(0, 60, 300, 300), (0, 1), (0, 1)):
            pass


@pytest.mark.parametrize("size", [(1, 1), (2, 300), (300, 2), (64, 36)])
def test_a_board_may_be_as_small_as_a_pixel(ctx: moderngl.Context, size: tuple[int, int]) -> None:
    pytest.importorskip("imgui_bundle")
    assert boards.draw_board(ctx, size, Worded).shape == (size[1], size[0], 3)


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
    def step(self):
        calls.append("step")
    def draw(self, page):
        calls.append("draw")
        press(presses.get(calls.count("draw"), glfw.KEY_K), 0)
    def on_key(self, key, modifiers):
        calls.append(key == glfw.KEY_K)

@contextlib.contextmanager
def make(ctx):
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
    assert ast.literal_eval(second) == ["step", "draw", "draw"]
