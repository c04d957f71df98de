"""The scan of a signal, in a window or as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.apps import boards
from glfft.apps.channelizer.board import Board
from glfft.apps.channelizer.scan import Scan, ScanSettings
from glfft.ui.imgui_layer import ImguiLayer


def open_scan(
    settings: ScanSettings, size: tuple[int, int], frames: int | None = None, trace: str | None = None
) -> None:
    """Open a window and scan until it is closed, as `glfft.apps.boards.open_board` has it. Raises as `Scan`."""
    boards.open_board("glfft demo channelizer", size, partial(_board, settings), frames, trace)


def draw_scan(ctx: moderngl.Context, settings: ScanSettings, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """Draw what the window would show with the waterfall full, or with all of a recording, in so many pixels across and
    down: [height, width, 3], the top row first. Raises MissingExtraError without imgui-bundle (extra `ui`), and as
    `Scan`.
    """
    if settings.recording is not None:
        settings = replace(settings, row_samples=-(-settings.recording.count // settings.rows))
    with boards.imgui_layer(ctx) as layer, _board(settings, ctx, layer) as board:
        board.scan.fill()
        board.update()
        return boards.draw_board(ctx, layer, size, board.draw)


@contextmanager
def _board(settings: ScanSettings, ctx: moderngl.Context, layer: ImguiLayer) -> Iterator[Board]:
    with Scan(ctx, settings) as scan, Board(ctx, layer, scan) as board:
        yield board
