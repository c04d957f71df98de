"""The scan's window under a display of its own: keys change what is looked at."""

from __future__ import annotations

import ast

import pytest
from support.displays import python

_PRESS_KEYS = """
import glfw
from glfft.apps.channelizer import show
from glfft.apps.channelizer.scan import ScanSettings

seen = []
class Board(show.Board):
    def draw(self, size, device):
        super().draw(size, device)
        scan = shown.scan
        seen.append((scan.watched, scan.rows))
        keys = [(glfw.KEY_RIGHT, 0), (glfw.KEY_LEFT, glfw.MOD_SHIFT), (glfw.KEY_SPACE, 0), (0, 0), (glfw.KEY_ESCAPE, 0)]
        shown._on_key(*keys[len(seen) - 1])
show.Board = Board
class Show(show._Show):
    def __init__(self, *arguments):
        global shown
        shown = self
        super().__init__(*arguments)
show._Show = Show
show.show(ScanSettings(32, taps=2, rows=8), (640, 360))
print(seen)
"""


@pytest.mark.window
def test_keys_change_the_channel_pause_and_quit() -> None:
    pytest.importorskip("imgui_bundle")
    done = python("-c", _PRESS_KEYS, display=True)
    assert done.returncode == 0, done.stderr
    seen = ast.literal_eval(done.stdout.splitlines()[-1])
    assert [watched for watched, _ in seen] == [17, 18, 10, 10, 10]
    assert seen[0][1] > 0
    assert seen[2][1] == seen[4][1], "nothing is scanned in a pause"
