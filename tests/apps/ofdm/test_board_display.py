"""The link in a window under a display of its own, where keys change it, and as a picture of its size."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import moderngl
import pytest
from support.boards import seen_on_board

pytest.importorskip("imgui_bundle")

from glfft.apps.ofdm import board
from glfft.apps.ofdm.link.settings import LinkSettings
from glfft.apps.plots import draw_board
from glfft.errors import OptionError

_PRESSES_KEYS = """
class Board(board.Board):
    def draw(self, page):
        super().draw(page)
        settings = self.reception.settings
        seen.append((settings.bit_energy_db, settings.channel, settings.samples, len(self.reception.rates)))
        key = {0: glfw.KEY_UP, 1: glfw.KEY_C, 2: glfw.KEY_W, 3: glfw.KEY_SPACE, 4: glfw.KEY_DOWN,
               5: glfw.KEY_ESCAPE}.get(len(seen) - 1)
        press(key, 0)
"""


@pytest.mark.window
def test_keys_change_the_link_and_quit() -> None:
    imports = "from glfft.apps.ofdm.link.settings import LinkSettings"
    seen = seen_on_board("ofdm", imports, _PRESSES_KEYS, 'LinkSettings(symbols=22, algorithm="radix-8")')
    assert [each[:3] for each in seen] == [
        (14.0, "multipath", "fixed8"),
        (14.5, "multipath", "fixed8"),
        (14.5, "flat", "fixed8"),
        (14.5, "flat", "fixed7"),
        (14.5, "flat", "fixed7"),
        (14.0, "flat", "fixed7"),
    ]
    assert seen[3][3] == seen[4][3] == 1, "nothing is received in a pause"


def test_a_picture_has_its_size_a_timeline_and_is_not_empty(
    ctx: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "_BITS", 22 * 1344)
    monkeypatch.setattr(board, "_STEPS", 2)
    settings = LinkSettings(symbols=22, algorithm="radix-8")
    trace = tmp_path / "a.trace.json"
    picture = draw_board(ctx, (400, 260), partial(board.Board, settings), str(trace))
    names = [each["name"] for each in json.loads(trace.read_text())["traceEvents"]]
    assert names.count("step") >= 2
    assert "draw" in names
    assert picture.shape == (260, 400, 3)
    assert picture.max() > 200
    assert picture.std() > 10


def test_settings_that_make_no_sense_leave_nothing_behind(ctx: moderngl.Context) -> None:
    with pytest.raises(OptionError, match="multiple of 22"):
        draw_board(ctx, (400, 260), partial(board.Board, LinkSettings(symbols=21)))
