"""The board as a picture, without a window."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.demos.channelizer.board import BACKGROUND, Board
from glfft.demos.channelizer.scan import Scan, ScanSettings
from glfft.gl.context import state_of
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
    target = ctx.simple_framebuffer(size, components=3)
    try:
        with Scan(ctx, settings) as scan:
            board = Board(ctx, layer, scan)
            scan.fill()
            board.update()
            target.use()
            target.clear(*BACKGROUND)
            with layer.frame(target, size):
                board.draw(size, state_of(ctx).device.renderer)
            board.release()
            data = target.read(components=3, alignment=1)
    finally:
        target.release()
        layer.release()
    return np.frombuffer(data, np.uint8).reshape(size[1], size[0], 3)[::-1]
