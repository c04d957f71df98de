"""The link's window under a display of its own: keys change what is received."""

from __future__ import annotations

import ast

import pytest
from support.displays import python

_PRESS_KEYS = """
import glfw
from glfft.apps.ofdm import show
from glfft.apps.ofdm.settings import LinkSettings

seen = []
class Board(show.Board):
    def draw(self, reception, *others):
        super().draw(reception, *others)
        settings = reception.settings
        seen.append((settings.bit_energy_db, settings.channel, settings.samples, len(reception.rates)))
        key = {0: glfw.KEY_UP, 1: glfw.KEY_C, 2: glfw.KEY_W, 3: glfw.KEY_SPACE, 4: glfw.KEY_DOWN,
               5: glfw.KEY_ESCAPE}.get(len(seen) - 1)
        shown._on_key(key, 0)
show.Board = Board
class Show(show._Show):
    def __init__(self, *arguments):
        global shown
        shown = self
        super().__init__(*arguments)
show._Show = Show
show.show(LinkSettings(symbols=22, algorithm="radix-8"), (640, 360))
print(seen)
"""


@pytest.mark.window
def test_keys_change_the_link_and_quit() -> None:
    pytest.importorskip("imgui_bundle")
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
