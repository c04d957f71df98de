"""The picture of a scan: what is strong is bright, and in its place."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

pytest.importorskip("imgui_bundle")

from glfft.apps.channelizer import board as boards
from glfft.apps.channelizer.board import Board, draw_scan
from glfft.apps.channelizer.scan import ScanSettings
from glfft.channelizer.recordings import open_recording
from glfft.ui.imgui_layer import ImguiLayer

SIZE = (640, 360)


def test_a_tone_is_a_bright_line_in_its_place(ctx: moderngl.Context, tmp_path: Path) -> None:
    n = np.arange(1 << 15)
    noise = np.random.default_rng(1).normal(0, 0.01, (len(n), 2)).view(np.complex128)[:, 0]
    path = tmp_path / "tone.cf32"
    path.write_bytes((np.exp(2j * np.pi * 5 / 16 * n) + noise).astype(np.complex64).tobytes())
    picture = draw_scan(ctx, ScanSettings(16, taps=4, rows=8, recording=open_recording(path)), SIZE)
    assert picture.shape == (360, 640, 3)
    box = boards._WATERFALL
    top, bottom = round(box.y / 2) + 8, round((box.y + box.height) / 2) - 8
    across = [round((box.x + (place + 0.5) / 16 * box.width) / 2) for place in range(16)]
    bright = picture[top:bottom, across].astype(float).sum(axis=2).mean(axis=0)
    assert bright.argmax() == 13
    assert bright[13] > 3 * np.delete(bright, [12, 13, 14]).max()


def test_a_pixel_tells_its_channel(ctx: moderngl.Context) -> None:
    layer = ImguiLayer(ctx, scale=1.0)
    with Board(ScanSettings(16, taps=2, rows=4), ctx, layer) as board:
        board.update()
        box = boards._SPECTRUM
        y = (box.y + 1) / 2
        assert board.place_at(box.x / 2 + 1, y, SIZE) == 0
        assert board.place_at((box.x + box.width) / 2 - 1, y, SIZE) == 15
        assert board.place_at(box.x / 2 - 2, y, SIZE) is None
        # Round a picture of another form there is a margin.
        assert board.place_at(box.x / 2 + 1 + 10, y, (660, 360)) == 0
    layer.release()


def test_a_channel_has_its_own_spectrum() -> None:
    samples = np.exp(2j * np.pi * 0.25 * np.arange(600)).astype(np.complex64)
    spectrum = boards._spectrum_of(samples)
    assert len(spectrum) == 256
    assert spectrum.argmax() == 192
    assert spectrum.max() == pytest.approx(0, abs=0.1)
    assert len(boards._spectrum_of(samples[:5])) == 0
