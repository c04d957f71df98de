"""A board as a picture, and in a window for so many frames."""

from __future__ import annotations

import ast

import moderngl
import numpy as np
import pytest
from support.displays import python

from glfft.apps import boards
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

    picture = boards.picture(ctx, layer, SIZE, draw)
    layer.release()
    assert devices == [ctx.info["GL_RENDERER"]]
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    assert (picture[1:19, 1:-1] == picture[5, 5]).all()
    assert picture[5, 5].min() > 200
    assert np.abs(picture[21:] - np.round(255 * np.array(BACKGROUND[:3]))).max() <= 1


_SHOW = """
from glfft.apps import boards
from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.window import Window

for frames, closes_after in ((3, 0), (None, 2)):
    calls = []
    with Window("boards", (64, 48)) as window:
        layer = ImguiLayer(window.ctx, window)
        def draw(size, device):
            calls.append("draw")
            if calls.count("draw") == closes_after:
                window.close()
        boards.show(window, layer, lambda: calls.append("step"), draw, frames)
        layer.release()
    print(calls)
"""


@pytest.mark.window
def test_a_window_steps_and_draws_in_turn_for_its_frames_or_until_it_is_closed() -> None:
    pytest.importorskip("imgui_bundle")
    done = python("-c", _SHOW, display=True)
    assert done.returncode == 0, done.stderr
    drawn = [ast.literal_eval(line) for line in done.stdout.splitlines()[-2:]]
    assert drawn == [["step", "draw"] * 3, ["step", "draw"] * 2]
