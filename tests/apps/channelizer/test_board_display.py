"""The scan in a window under a display of its own, and as a picture of its size."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import moderngl
import pytest
from support.boards import seen_on_board

pytest.importorskip("imgui_bundle")

from glfft.apps.channelizer.board import Board
from glfft.apps.channelizer.scan import ScanSettings
from glfft.apps.plots import draw_board
from glfft.errors import ShapeError

_PRESSES_KEYS = """
class Board(board.Board):
    def draw(self, page):
        super().draw(page)
        seen.append(self.scan.rows)
        press([0, glfw.KEY_SPACE, 0, glfw.KEY_ESCAPE][len(seen) - 1], 0)
"""


@pytest.mark.window
def test_keys_pause_and_quit() -> None:
    imports = "from glfft.apps.channelizer.scan import ScanSettings"
    seen = seen_on_board("channelizer", imports, _PRESSES_KEYS, "ScanSettings(32, taps=2, rows=8)")
    assert len(seen) == 4
    assert 0 < seen[0] < seen[1]
    assert seen[1] == seen[3], "nothing is scanned in a pause"


def test_a_picture_has_its_size_a_timeline_and_is_not_empty(ctx: moderngl.Context, tmp_path: Path) -> None:
    trace = tmp_path / "a.trace.json"
    picture = draw_board(ctx, (400, 260), partial(Board, ScanSettings(16, taps=2, rows=4)), str(trace))
    names = {each["name"] for each in json.loads(trace.read_text())["traceEvents"]}
    assert {"step", "draw"} <= names
    assert picture.shape == (260, 400, 3)
    assert picture.max() > 200
    assert picture.std() > 10


def test_settings_that_make_no_sense_leave_nothing_behind(ctx: moderngl.Context) -> None:
    with pytest.raises(ShapeError, match="decimation"):
        draw_board(ctx, (400, 260), partial(Board, ScanSettings(16, decimation=17)))
