"""Boxes, lines, text and pictures on an ImGui draw list, in units of the display's scale."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import moderngl

from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.widgets import printable

_ROUNDING = 6.0


class Colour(NamedTuple):
    """A colour with straight alpha; all four channels are 0 to 255."""

    red: int
    green: int
    blue: int
    alpha: int = 255

    @property
    def packed(self) -> int:
        """The colour as Dear ImGui packs it: red in the lowest byte."""
        return self.red | self.green << 8 | self.blue << 16 | self.alpha << 24


class Box(NamedTuple):
    """A rectangle in units of the canvas."""

    x: float
    y: float
    width: float
    height: float


class Canvas:
    """Draws behind all ImGui windows of a frame, from an origin in pixels, in units of `scale` pixels, with y down."""

    def __init__(self, layer: ImguiLayer, scale: float, left: float, top: float) -> None:
        self._layer, self._scale = layer, scale
        self._list: Any = layer.imgui.get_background_draw_list()
        self._left, self._top = round(left), round(top)  # whole pixels, so that edges and glyphs are sharp

    @contextmanager
    def clipped(self, frame: Box) -> Iterator[None]:
        """Draw nothing outside a box within the `with` block; the box's edges must lie on whole pixels."""
        self._list.push_clip_rect(*self._corners(*frame))
        yield
        self._list.pop_clip_rect()

    def panel(self, width: float, height: float, fill: Colour, border: Colour) -> None:
        corners, rounding = self._corners(0, 0, width, height), _ROUNDING * self._scale
        self._list.add_rect_filled(*corners, fill.packed, rounding)
        self._list.add_rect(*corners, border.packed, rounding, max(1.0, self._scale))

    def box(self, x: float, y: float, width: float, height: float, fill: Colour) -> None:
        self._list.add_rect_filled(*self._corners(x, y, width, height), fill.packed)

    def line(self, x: float, y: float, width: float, colour: Colour) -> None:
        """A thin horizontal line on whole pixels."""
        left, top = self._point(x, 0)[0], self._pixel(0, y)[1]
        thickness = max(1, round(self._scale))
        self._list.add_rect_filled((left, top), (left + width * self._scale, top + thickness), colour.packed)

    def text(self, x: float, y: float, words: str, size: float, colour: Colour, number: bool = False) -> float:
        """Words that begin at x; a `number` is in the font that aligns columns of numbers. Returns their width."""
        font = self._layer.number_font if number else self._layer.font
        self._list.add_text(font, size * self._scale, self._pixel(x, y), colour.packed, printable(words))
        return self._width(words, size, number)

    def text_right(self, right: float, y: float, words: str, size: float, colour: Colour, number: bool = False) -> None:
        """Words that end at `right`, otherwise as `text`."""
        self.text(right - self._width(words, size, number), y, words, size, colour, number)

    def text_within(self, x: float, y: float, width: float, words: str, size: float, colour: Colour) -> None:
        """Words cut off at `width`."""
        left, top = self._point(x, y)
        clip = (left, top, left + max(0.0, width) * self._scale, top + 2 * size * self._scale)
        font, place = self._layer.font, self._pixel(x, y)
        self._list.add_text(font, size * self._scale, place, colour.packed, printable(words), 0.0, clip)

    def tag(self, x: float, y: float, words: str, size: float, colour: Colour, ground: Colour) -> None:
        """A small label on a line, with a background of its own so that it can be read over bars."""
        self.box(x - 3, y - size / 2 - 1, self._width(words, size) + 6, size + 2, ground)
        self.text(x, y - size / 2 - 1, words, size, colour._replace(alpha=255))

    def picture(self, texture: moderngl.Texture, frame: Box, start: float = 0.0) -> None:
        """A texture of premultiplied alpha, row 0 at the bottom, over a box; in x it repeats and begins at `start`."""
        self._list.add_image(self._layer.lend(texture), *self._corners(*frame), (start, 1.0), (start + 1.0, 0.0))

    def _width(self, words: str, size: float, number: bool = False) -> float:
        imgui, font = self._layer.imgui, self._layer.number_font if number else self._layer.font
        # push_font takes a size to which ImGui applies the style's own scale.
        imgui.push_font(font, size * self._scale / self._layer.scale)
        width = imgui.calc_text_size(printable(words)).x
        imgui.pop_font()
        return width / self._scale

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        """The nearest whole pixel, rounded relative to the canvas, so that it does not depend on the canvas's place."""
        return self._left + round(x * self._scale), self._top + round(y * self._scale)

    def _point(self, x: float, y: float) -> tuple[float, float]:
        return self._left + x * self._scale, self._top + y * self._scale

    def _corners(self, x: float, y: float, width: float, height: float) -> tuple[tuple[float, float], ...]:
        return self._point(x, y), self._point(x + width, y + height)
