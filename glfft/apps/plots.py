"""Boards of numbers and plots, in a window until it closes or as a picture; wells with axes, colours and numbers."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

import glfw
import moderngl
import numpy as np
import numpy.typing as npt

from glfft.apps.picture_files import read_picture
from glfft.gl.context import state_of
from glfft.gl.timed import timed
from glfft.overlay.shapes import Box, Canvas, Colour
from glfft.profiling.profiler import Profiler, traced
from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.window import Window

WIDTH, HEIGHT, GAP = 1280.0, 720.0, 18.0  # a board's own units; it is enlarged to fit the picture
Size = tuple[int, int]  # width and height in pixels

BACKGROUND = (0.043, 0.05, 0.062, 1.0)
WELL = Colour(20, 24, 30)
RULE = Colour(255, 255, 255, 20)
BRIGHT = Colour(232, 236, 240)
PLAIN = Colour(178, 186, 195)
DIM = Colour(120, 129, 139)
BLUE = Colour(98, 168, 240)
ORANGE = Colour(240, 172, 84)
GREEN = Colour(104, 205, 150)


def fitted(size: Size) -> tuple[float, float, float]:
    """Scale, left and top of a board in a picture of so many pixels."""
    scale = min(size[0] / WIDTH, size[1] / HEIGHT)
    return scale, (size[0] - WIDTH * scale) / 2, (size[1] - HEIGHT * scale) / 2


def titled(layer: ImguiLayer, size: Size, title: str, words: str, device: str) -> Canvas:
    """A board's canvas with its title, what it shows and the name of what computes."""
    canvas = Canvas(layer, *fitted(size))
    canvas.text(GAP, 14, title, 24, BRIGHT)
    canvas.text_right(WIDTH - GAP, 14, words, 16, PLAIN)
    canvas.text_right(WIDTH - GAP, 36, device, 13, DIM)
    return canvas


def facts(canvas: Canvas, y: float, entries: Sequence[tuple[float, str, str]]) -> None:
    """Numbers with their names above them: a place, a name and a number each."""
    for x, name, value in entries:
        canvas.text(x, y, name, 13, DIM)
        canvas.text(x, y + 17, value, 17, BRIGHT)


def heading(canvas: Canvas, box: Box, name: str, colour: Colour, unit: str = "") -> None:
    """What a plot shows, above it at the left, and its unit at the right."""
    canvas.text(box.x, box.y - 24, name, 15, colour)
    canvas.text_right(box.x + box.width, box.y - 24, unit, 13, DIM)


def ramp(colours: Sequence[Sequence[int]], values: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Opaque colours [..., 4] for values from 0 to 1, along evenly spaced ones."""
    places = np.linspace(0, 1, len(colours))
    parts = [np.interp(values, places, [colour[each] for colour in colours]) for each in range(3)]
    return np.stack([*parts, np.full_like(values, 255)], axis=-1).astype(np.uint8)


def glow(colours: Sequence[Sequence[int]], counts: npt.NDArray[np.float64], contrast: float) -> bytes:
    """How often points fell into each texel, as colours from none to most."""
    return ramp(colours, np.log1p(counts * contrast / max(counts.max(), 1.0)) / np.log1p(contrast)).tobytes()


class Plot:
    """A well in a box of a canvas, with or without its ground; `across` and `up` are the numbers at its edges."""

    def __init__(
        self, canvas: Canvas, box: Box, across: tuple[float, float], up: tuple[float, float], filled: bool = True
    ) -> None:
        self._canvas, self._box, self._across, self._up = canvas, box, across, up
        if filled:
            canvas.box(*box, WELL)

    def x(self, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
        low, high = self._across
        return self._box.x + (np.asarray(value, float) - low) / (high - low) * self._box.width

    def y(self, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
        low, high = self._up
        return self._box.y + (high - np.asarray(value, float)) / (high - low) * self._box.height

    def vertical(self, value: float, label: str, drawn: bool = True) -> None:
        """A line at a value of x, labelled below."""
        x = float(self.x(value))
        if drawn:
            self._canvas.box(x, self._box.y, 1, self._box.height, RULE)
        self._canvas.text(x - 3.6 * len(label), self._box.y + self._box.height + 4, label, 13, DIM)

    def horizontal(self, value: float, label: str, colour: Colour = RULE) -> None:
        """A line at a value of y, labelled at the left."""
        y = float(self.y(value))
        self._canvas.box(self._box.x, y, self._box.width, 1, colour)
        self._canvas.text_right(self._box.x - 6, y - 8, label, 13, DIM)

    def curve(self, x: npt.ArrayLike, y: npt.ArrayLike, colour: Colour, thickness: float = 1.6) -> None:
        with self._canvas.clipped(self._box):
            self._canvas.curve(np.stack([self.x(x), self.y(y)], axis=1), colour, thickness)

    def dot(self, x: float, y: float, colour: Colour) -> None:
        """A point, with its background around it, if it is inside."""
        if self._across[0] <= x <= self._across[1] and self._up[0] <= y <= self._up[1]:
            self._canvas.dot(float(self.x(x)), float(self.y(y)), 6.0, WELL)
            self._canvas.dot(float(self.x(x)), float(self.y(y)), 4.2, colour)

    def cross(self, x: float, y: float) -> None:
        """Where a point should be."""
        centre_x, centre_y = float(self.x(x)), float(self.y(y))
        for dx, dy, width, height in ((-7, 0, 15, 1), (0, -7, 1, 15)):
            self._canvas.box(centre_x + dx, centre_y + dy, width, height, Colour(255, 255, 255, 70))


def engineering(value: float, digits: int = 3) -> str:
    """A number with so many digits and a prefix of the SI."""
    if not value > 0:
        return "-"
    for power, prefix in ((9, " G"), (6, " M"), (3, " k")):
        if value >= 10**power:
            return f"{value / 10**power:.{digits}g}{prefix}"
    return f"{value:.{digits}g}"


class Board(Protocol):
    keys: str  # what keys do, for people. Space pauses and Escape closes the window, whatever is shown.

    def step(self, window: Window, paused: bool) -> None:
        """Go on for a frame's time, or only follow the mouse in a pause."""

    def draw(self, size: Size, device: str) -> None:
        """Draw into the open frame of the layer, given the size in pixels and the name of what computes."""

    def on_key(self, key: int, modifiers: int) -> None:
        """Answer to a GLFW key."""


def open_board(
    title: str,
    size: Size,
    make: Callable[[moderngl.Context, ImguiLayer], AbstractContextManager[Board]],
    frames: int | None = None,
    trace: str | None = None,
) -> None:
    """Step and draw a board in a window of a size in screen units until it is closed, or for so many frames. `trace` is
    a .trace.json file for the timeline of the last frames. Raises DisplayError where there is no display,
    MissingExtraError where imgui-bundle is not installed (extra `ui`).
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
        with traced(window.ctx, trace) as profiler:
            for _ in window.frames(frames):
                with frame_of(profiler):
                    with timed(profiler, "step"):
                        board.step(window, paused)
                    if not window.hidden:
                        with timed(profiler, "draw"):
                            _draw(window.ctx.screen, layer, window.size, board.draw, device)


def frame_of(profiler: Profiler | None) -> AbstractContextManager[object]:
    """A frame of a profiler, if there is one."""
    return nullcontext() if profiler is None else profiler.frame()


_DrawBoard = Callable[[tuple[int, int], str], None]


def _draw(target: moderngl.Framebuffer, layer: ImguiLayer, size: Size, draw: _DrawBoard, device: str) -> None:
    target.use()
    target.viewport = (0, 0, *size)
    target.clear(*BACKGROUND)
    with layer.frame(target, size):
        draw(size, device)


def draw_board(
    ctx: moderngl.Context, layer: ImguiLayer, size: Size, draw: _DrawBoard, profiler: Profiler | None = None
) -> npt.NDArray[np.uint8]:
    """A board as [height, width, 3], top row first, of a size in pixels; in a frame of the profiler if there is one."""
    target = ctx.simple_framebuffer(size, components=3)
    try:
        with frame_of(profiler), timed(profiler, "draw"):
            _draw(target, layer, size, draw, state_of(ctx).device.renderer)
        return read_picture(target)
    finally:
        target.release()
