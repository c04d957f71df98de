"""Boards of numbers and plots: shown in a window until it closes, or drawn as a picture."""

from __future__ import annotations

from collections.abc import Callable

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.apps.plots import BACKGROUND
from glfft.gl.context import state_of
from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.window import Window

# Draws a board, given its size in pixels and the name of the device.
Draw = Callable[[tuple[int, int], str], None]


def show(window: Window, layer: ImguiLayer, step: Callable[[], None], draw: Draw, frames: int | None = None) -> None:
    """Step and draw until the window is closed, or for so many frames."""
    drawn, device = 0, state_of(window.ctx).device.renderer
    while not window.should_close and (frames is None or drawn < frames):
        window.poll()
        step()
        if not window.hidden:
            window.ctx.screen.use()
            window.ctx.viewport = (0, 0, *window.size)
            window.ctx.screen.clear(*BACKGROUND)
            with layer.frame(window.ctx.screen, window.size):
                draw(window.size, device)
        window.swap()
        drawn += 1


def picture(ctx: moderngl.Context, layer: ImguiLayer, size: tuple[int, int], draw: Draw) -> npt.NDArray[np.uint8]:
    """A board of a size, width and height in pixels: [height, width, 3], the top row first."""
    target = ctx.simple_framebuffer(size, components=3)
    try:
        target.use()
        target.clear(*BACKGROUND)
        with layer.frame(target, size):
            draw(size, state_of(ctx).device.renderer)
        data = target.read(components=3, alignment=1)
    finally:
        target.release()
    return np.frombuffer(data, np.uint8).reshape(size[1], size[0], 3)[::-1]
