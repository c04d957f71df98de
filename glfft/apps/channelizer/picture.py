"""The board as a picture, without a window."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.apps import boards
from glfft.apps.channelizer.board import Board
from glfft.apps.channelizer.scan import Scan, ScanSettings
from glfft.ui.imgui_layer import ImguiLayer


def draw_picture(ctx: moderngl.Context, settings: ScanSettings, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """Draw what the window would show with the waterfall full, of a recording with all of it.

    Args:
        ctx: the context.
        settings: what is scanned.
        size: width and height in pixels.

    Returns:
        [height, width, 3], the top row first.

    Raises:
        MissingExtraError: imgui-bundle is not installed (extra `ui`).
        GlfftError: see `Scan`.
    """
    if settings.recording is not None:
        settings = replace(settings, row_samples=-(-settings.recording.count // settings.rows))
    # Words in a picture need no window's scale.
    layer = ImguiLayer(ctx, scale=1.0)
    try:
        with Scan(ctx, settings) as scan:
            board = Board(ctx, layer, scan)
            scan.fill()
            board.update()
            drawn = boards.picture(ctx, layer, size, board.draw)
            board.release()
    finally:
        layer.release()
    return drawn
