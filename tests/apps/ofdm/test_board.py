"""The board: what it shows of a link is where it should be."""

from __future__ import annotations

import math
from functools import partial

import moderngl
import numpy as np
import pytest

pytest.importorskip("imgui_bundle")

from glfft.apps.ofdm import board
from glfft.apps.ofdm.board import Board
from glfft.apps.ofdm.link.settings import LinkSettings
from glfft.apps.plots import BACKGROUND, Page, draw_board


def test_numbers_that_are_not_known_yet_are_dashes(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(Page, "facts", lambda _, y, entries: said.extend(value for *_, value in entries))
    monkeypatch.setattr(Board, "fill", lambda shown, _: None)
    draw_board(ctx, (64, 36), partial(Board, LinkSettings(symbols=22, algorithm="radix-8")))
    assert said
    assert not any("nan" in each for each in said), said


def test_a_link_many_times_as_fast_as_the_standard_is_shown_so(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(Page, "facts", lambda _, y, entries: said.extend(value for *_, value in entries))
    monkeypatch.setattr(Board, "fill", lambda shown, _: shown.reception.rates.append(30e9))
    draw_board(ctx, (64, 36), partial(Board, LinkSettings(symbols=22, algorithm="radix-8")))
    assert "1182 %" in said


def test_the_constellation_is_bright_where_the_points_are(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = LinkSettings(symbols=22, algorithm="radix-8", channel="flat", bit_energy_db=25.0)
    pictures = []
    for received in (False, True):
        monkeypatch.setattr(Board, "fill", lambda shown, _, received=received: shown.step(0.0) if received else None)
        pictures.append(draw_board(ctx, (640, 360), partial(Board, settings)).astype(int))
    before, after = pictures
    assert (before != np.round(np.array(BACKGROUND[:3]) * 255)).any(axis=-1).mean() > 0.3, "wells and words"
    box, reach = board._CONSTELLATION, board._REACH[1]
    brighter = (after - before).sum(axis=-1)

    def place(x: float, y: float) -> tuple[int, int]:
        across, up = (x + reach) / (2 * reach), (reach - y) / (2 * reach)
        return round((box.y + up * box.height) / 2), round((box.x + across * box.width) / 2)

    for x in (-3, -1, 1, 3):
        for y in (-3, -1, 1, 3):
            row, column = place(x / math.sqrt(10), y / math.sqrt(10))
            assert brighter[row - 3 : row + 4, column - 3 : column + 4].max() > 150
    row, column = place(0.25 * math.sqrt(10) * 0, 0)
    assert brighter[row - 5 : row + 6, column - 5 : column + 6].max() < 60, "nothing between the points"
