"""The link in a window under a display of its own, where keys change it, and as a picture of its size."""

from __future__ import annotations

import ast

import moderngl
import pytest
from support.displays import python

pytest.importorskip("imgui_bundle")

from glfft.apps.ofdm.board import draw_link
from glfft.apps.ofdm.link.settings import LinkSettings
from glfft.errors import OptionError

_PRESS_KEYS = """
import glfw
from glfft.apps import boards
from glfft.apps.ofdm import board
from glfft.apps.ofdm.link.settings import LinkSettings

seen = []
class Board(board.Board):
    def draw(self, *others):
        super().draw(*others)
        settings = self.reception.settings
        seen.append((settings.bit_energy_db, settings.channel, settings.samples, len(self.reception.rates)))
        key = {0: glfw.KEY_UP, 1: glfw.KEY_C, 2: glfw.KEY_W, 3: glfw.KEY_SPACE, 4: glfw.KEY_DOWN,
               5: glfw.KEY_ESCAPE}.get(len(seen) - 1)
        press(key, 0)
board.Board = Board
class Window(boards.Window):
    def on_key(self, callback):
        global press
        press = callback
boards.Window = Window
board.open_link(LinkSettings(symbols=22, algorithm="radix-8"), (640, 360))
print(seen)
"""


@pytest.mark.window
def test_keys_change_the_link_and_quit() -> None:
    done = python("-c", _PRESS_KEYS, display=True)
    assert done.returncode == 0, done.stderr
    seen = ast.literal_eval(done.stdout.splitlines()[-1])
    assert [each[:3] for each in seen] == [
        (14.0, "multipath", "fixed8"),
        (14.5, "multipath", "fixed8"),
        (14.5, "flat", "fixed8"),
        (14.5, "flat", "fixed7"),
        (14.5, "flat", "fixed7"),
        (14.0, "flat", "fixed7"),
    ]
    assert seen[3][3] == seen[4][3] == 1, "nothing is received in a pause"


def test_a_picture_has_its_size_and_is_not_empty(ctx: moderngl.Context) -> None:
    settings = LinkSettings(symbols=22, algorithm="radix-8")
    picture = draw_link(ctx, settings, (400, 260), bits=22 * 1344, steps=2)
    assert picture.shape == (260, 400, 3)
    assert picture.max() > 200
    assert picture.std() > 10


def test_settings_that_make_no_sense_leave_nothing_behind(ctx: moderngl.Context) -> None:
    with pytest.raises(OptionError, match="multiple of 22"):
        draw_link(ctx, LinkSettings(symbols=21), (400, 260))
