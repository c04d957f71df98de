"""Boards of numbers and plots: in a window until it closes, or as a picture."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

import glfw
import moderngl
import numpy as np
import numpy.typing as npt

from glfft.apps.plots import BACKGROUND
from glfft.gl.context import state_of
from glfft.gl.timed import timed
from glfft.profiling.profiler import Profiler
from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.window import Window


class Board(Protocol):
    """What a window shows.

    Attributes:
        keys: what keys do, for people. Space pauses and Escape closes the window, whatever is shown.
    """

    keys: str

    def step(self, window: Window, paused: bool) -> None:
        """Go on for a frame's time, or only follow the mouse in a pause."""

    def draw(self, size: tuple[int, int], device: str) -> None:
        """Draw into the open frame of the layer, given the size in pixels and the name of what computes."""

    def on_key(self, key: int, modifiers: int) -> None:
        """Answer to a GLFW key."""


def open_board(
    title: str,
    size: tuple[int, int],
    make: Callable[[moderngl.Context, ImguiLayer], AbstractContextManager[Board]],
    frames: int | None = None,
    trace: str | None = None,
) -> None:
    """Step and draw a board in a window until it is closed, or for so many frames.

    Args:
        title: of the window.
        size: of the window in screen units.
        make: makes the board, which lives as long as its context manager.
        frames: close after so many; None leaves it to the user.
        trace: a .trace.json file for the timeline of the last frames.

    Raises:
        DisplayError: there is no display.
        MissingExtraError: imgui-bundle is not installed (extra `ui`).
    """
    with Window(title, size) as window, ImguiLayer(window.ctx, window) as layer, make(window.ctx, layer) as board:
        paused = False

        def on_key(key: int, modifiers: int) -> None:
            nonlocal paused
            if key == glfw.KEY_ESCAPE:
                window.close()
            elif key == glfw.KEY_SPACE:
                paused = not paused
            else:
                board.on_key(key, modifiers)

        window.on_key(on_key)
        print(board.keys)
        device = state_of(window.ctx).device.renderer
        profiler = Profiler(window.ctx) if trace else None
        for _ in window.frames(frames):
            with profiler.frame() if profiler else nullcontext():
                with timed(profiler, "step"):
                    board.step(window, paused)
                if not window.hidden:
                    with timed(profiler, "draw"):
                        _draw_in_window(window, layer, board, device)
        if profiler is not None and trace:
            profiler.save(trace)
            profiler.release()
            print(trace)


def _draw_in_window(window: Window, layer: ImguiLayer, board: Board, device: str) -> None:
    window.ctx.screen.use()
    window.ctx.viewport = (0, 0, *window.size)
    window.ctx.screen.clear(*BACKGROUND)
    with layer.frame(window.ctx.screen, window.size):
        board.draw(window.size, device)


def draw_board(
    ctx: moderngl.Context, layer: ImguiLayer, size: tuple[int, int], draw: Callable[[tuple[int, int], str], None]
) -> npt.NDArray[np.uint8]:
    """A board as a picture of a size, width and height in pixels: [height, width, 3], the top row first."""
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
