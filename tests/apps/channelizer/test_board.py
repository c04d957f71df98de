"""The picture of a scan: what is strong is bright, and in its place."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest

pytest.importorskip("imgui_bundle")

from glfft.apps.channelizer.board import Board
from glfft.apps.channelizer.scan import ScanSettings
from glfft.apps.plots import Page, draw_board
from glfft.channelizer.recordings import open_recording

SIZE = (640, 360)


@pytest.fixture
def waterfall(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Left, top, width and height of the waterfall in pixels, once it is drawn."""
    found: list[float] = []
    draw_image = Page.image

    def noted(page: Page, name: str, *others: Any) -> None:
        draw_image(page, name, *others)
        if name == "##waterfall":
            place, size = page.implot.get_plot_pos(), page.implot.get_plot_size()
            found[:] = [place.x, place.y, size.x, size.y]

    monkeypatch.setattr(Page, "image", noted)
    return found


def test_a_tone_is_a_bright_line_in_its_place(ctx: moderngl.Context, tmp_path: Path, waterfall: list[float]) -> None:
    n = np.arange(1 << 15)
    noise = np.random.default_rng(1).normal(0, 0.01, (len(n), 2)).view(np.complex128)[:, 0]
    path = tmp_path / os.fsdecode(b"t\xf6ne.cf32")  # Latin-1, no text for ImGui
    path.write_bytes((np.exp(2j * np.pi * 5 / 16 * n) + noise).astype(np.complex64).tobytes())
    settings = ScanSettings(16, taps=4, rows=8, recording=open_recording(path))
    picture = draw_board(ctx, SIZE, partial(Board, settings))
    assert picture.shape == (360, 640, 3)
    left, top, width, height = waterfall
    rows = slice(round(top) + 8, round(top + height) - 8)
    across = [round(left + (place + 0.5) / 16 * width) for place in range(16)]
    bright = picture[rows, across].astype(float).sum(axis=2).mean(axis=0)
    assert bright.argmax() == 13
    assert bright[13] > 3 * np.delete(bright, [12, 13, 14]).max()
