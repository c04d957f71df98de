"""The scan in a window under a display of its own, where keys choose a channel, and as a picture of its size."""

from __future__ import annotations

import ast

import moderngl
import pytest
from support.displays import python

pytest.importorskip("imgui_bundle")

from glfft.apps.channelizer.board import draw_scan
from glfft.apps.channelizer.scan import ScanSettings
from glfft.errors import ShapeError

_PRESS_KEYS = """
import glfw
from glfft.apps import boards
from glfft.apps.channelizer import board
from glfft.apps.channelizer.scan import ScanSettings

seen = []
class Board(board.Board):
    def draw(self, size, device):
        super().draw(size, device)
        seen.append((self.scan.watched, self.scan.rows))
        keys = [(glfw.KEY_RIGHT, 0), (glfw.KEY_LEFT, glfw.MOD_SHIFT), (glfw.KEY_SPACE, 0), (0, 0), (glfw.KEY_ESCAPE, 0)]
        press(*keys[len(seen) - 1])
board.Board = Board
class Window(boards.Window):
    def on_key(self, callback):
        global press
        press = callback
boards.Window = Window
board.open_scan(ScanSettings(32, taps=2, rows=8), (640, 360))
print(seen)
"""


@pytest.mark.window
def test_keys_change_the_channel_pause_and_quit() -> None:
    done = python("-c", _PRESS_KEYS, display=True)
    assert done.returncode == 0, done.stderr
    seen = ast.literal_eval(done.stdout.splitlines()[-1])
    assert [watched for watched, _ in seen] == [17, 18, 10, 10, 10]
    assert seen[0][1] > 0
    assert seen[2][1] == seen[4][1], "nothing is scanned in a pause"


def test_a_picture_has_its_size_and_is_not_empty(ctx: moderngl.Context) -> None:
    picture = draw_scan(ctx, ScanSettings(16, taps=2, rows=4), (400, 260))
    assert picture.shape == (260, 400, 3)
    assert picture.max() > 200
    assert picture.std() > 10


def test_settings_that_make_no_sense_leave_nothing_behind(ctx: moderngl.Context) -> None:
    with pytest.raises(ShapeError, match="decimation"):
        draw_scan(ctx, ScanSettings(16, decimation=17), (400, 260))
