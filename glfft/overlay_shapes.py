"""Boxes, lines, text and bar charts on an ImGui draw list, in units of the display's scale."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glfft.imgui_layer import ImguiLayer

_ROUNDING = 6.0


class Colour(NamedTuple):
    """Straight-alpha colour, 0 to 255."""

    red: int
    green: int
    blue: int
    alpha: int = 255

    @property
    def packed(self) -> int:
        """As Dear ImGui packs it: red in the lowest byte."""
        return self.red | self.green << 8 | self.blue << 16 | self.alpha << 24


class Canvas:
    """Draws relative to an origin given in pixels; all other lengths are units of `scale` pixels, y down.

    It draws behind every ImGui window of the frame.
    """

    def __init__(self, layer: ImguiLayer, scale: float, left: float, top: float) -> None:
        self._imgui = layer.imgui
        self._list: Any = layer.imgui.get_background_draw_list()
        self._text_font = layer.font
        self._number_font = layer.number_font
        self._scale = scale
        self._style_scale = layer.scale
        # Whole pixels, so that edges and glyphs are sharp.
        self._left, self._top = round(left), round(top)

    def panel(self, width: float, height: float, fill: Colour, border: Colour) -> None:
        """The rounded sheet everything else lies on."""
        low, high = self._point(0, 0), self._point(width, height)
        rounding = _ROUNDING * self._scale
        self._list.add_rect_filled(low, high, fill.packed, rounding)
        self._list.add_rect(low, high, border.packed, rounding, max(1.0, self._scale))

    def box(self, x: float, y: float, width: float, height: float, fill: Colour) -> None:
        """A filled rectangle."""
        self._list.add_rect_filled(self._point(x, y), self._point(x + width, y + height), fill.packed)

    def line(self, x: float, y: float, width: float, colour: Colour) -> None:
        """A horizontal hairline on whole pixels."""
        left, top = self._point(x, y)
        top = round(top)
        thickness = max(1, round(self._scale))
        self._list.add_rect_filled((left, top), (left + width * self._scale, top + thickness), colour.packed)

    def text(self, x: float, y: float, words: str, size: float, colour: Colour) -> float:
        """Words from x on; returns their width."""
        return self._write(self._text_font, x, y, words, size, colour)

    def number(self, x: float, y: float, digits: str, size: float, colour: Colour) -> float:
        """The same in the font for numbers."""
        return self._write(self._number_font, x, y, digits, size, colour)

    def text_right(self, right: float, y: float, words: str, size: float, colour: Colour) -> None:
        """Words that end at `right`."""
        self._write(self._text_font, right - self._width(self._text_font, words, size), y, words, size, colour)

    def number_right(self, right: float, y: float, digits: str, size: float, colour: Colour) -> None:
        """The same in the font for numbers: columns of them line up."""
        x = right - self._width(self._number_font, digits, size)
        self._write(self._number_font, x, y, digits, size, colour)

    def text_within(self, x: float, y: float, width: float, words: str, size: float, colour: Colour) -> None:
        """Words cut off at `width`."""
        left, top = self._point(x, y)
        right = left + max(0.0, width) * self._scale
        clip = (left, top, right, top + 2 * size * self._scale)
        self._list.add_text(
            self._text_font, size * self._scale, (round(left), round(top)), colour.packed, words, 0.0, clip
        )

    def tag(self, x: float, y: float, words: str, size: float, colour: Colour, ground: Colour) -> None:
        """A small label centred on the height of a line, on a ground of its own so that it reads over bars."""
        width = self._width(self._text_font, words, size)
        self.box(x - 3, y - size / 2 - 1, width + 6, size + 2, ground)
        self.text(x, y - size / 2 - 1, words, size, colour._replace(alpha=255))

    def columns(
        self,
        x: float,
        base: float,
        step: float,
        units_per_value: float,
        height: float,
        stacks: Sequence[tuple[Colour, NDArray]],
        marker: tuple[Colour, NDArray],
    ) -> None:
        """Stacked columns standing on y = `base`, `step` wide each, and a marker line of its own series.

        Args:
            units_per_value: height of a value of 1.
            height: columns are cut off at this height.
            stacks: colour and values of each series, lowest first; NaN is nothing.
            marker: the line's colour and values; NaN leaves a gap.
        """
        count = len(marker[1])
        tops = np.cumsum([np.nan_to_num(values) for _, values in stacks], axis=0) * units_per_value
        tops = np.minimum(tops, height)
        bottoms = np.concatenate((np.zeros((1, count)), tops[:-1]))
        mark = np.minimum(marker[1] * units_per_value, height - 0.5)
        # A gap in the marker is a box of no height.
        tops = np.concatenate((tops, np.nan_to_num(mark + 0.5)[None]))
        bottoms = np.concatenate((bottoms, np.nan_to_num(mark - 0.5)[None]))

        left = x + step * np.arange(count)
        boxes = np.empty((len(tops), count, 4), np.float32)
        boxes[..., 0] = left
        boxes[..., 1] = base - tops
        boxes[..., 2] = left + step
        boxes[..., 3] = base - bottoms
        boxes *= self._scale
        boxes[..., 0::2] += self._left
        boxes[..., 1::2] += self._top
        colours = [colour.packed for colour, _ in stacks] + [marker[0].packed]
        self._fill_boxes(boxes.reshape(-1, 4), np.repeat(np.array(colours, np.uint32), count))

    def _fill_boxes(self, boxes: NDArray[np.float32], colours: NDArray[np.uint32]) -> None:
        """Many boxes (left, top, right, bottom in pixels) at once.

        One call a box would cost Python more than the whole overlay may take, so the vertices are written straight into
        the space that `prim_reserve` makes in the draw list.
        """
        count = len(boxes)
        draw_list, imgui = self._list, self._imgui
        draw_list.prim_reserve(6 * count, 4 * count)
        vertices = np.empty((count, 4), _VERTEX)
        vertices["x"] = boxes[:, (0, 2, 2, 0)]
        vertices["y"] = boxes[:, (1, 1, 3, 3)]
        white = imgui.get_font_tex_uv_white_pixel()
        vertices["u"], vertices["v"] = white.x, white.y
        vertices["colour"] = colours[:, None]
        first = draw_list._vtx_current_idx + 4 * np.arange(count)
        indices = (first[:, None] + _TWO_TRIANGLES).astype(f"u{imgui.INDEX_SIZE}")
        _fill_end(draw_list.vtx_buffer, imgui.VERTEX_SIZE, vertices)
        _fill_end(draw_list.idx_buffer, imgui.INDEX_SIZE, indices)
        draw_list._vtx_current_idx = draw_list._vtx_current_idx + 4 * count
        # ImGui's write pointers, which Python cannot set, catch up with the next shape: an invisible one.
        draw_list.prim_reserve(6, 4)
        draw_list.prim_rect((0, 0), (0, 0), 0)

    def _write(self, font: Any, x: float, y: float, words: str, size: float, colour: Colour) -> float:
        left, top = self._point(x, y)
        self._list.add_text(font, size * self._scale, (round(left), round(top)), colour.packed, words)
        return self._width(font, words, size)

    def _width(self, font: Any, words: str, size: float) -> float:
        # push_font takes a size to which ImGui applies the style's own scale.
        self._imgui.push_font(font, size * self._scale / self._style_scale)
        width = self._imgui.calc_text_size(words).x
        self._imgui.pop_font()
        return width / self._scale

    def _point(self, x: float, y: float) -> tuple[float, float]:
        return self._left + x * self._scale, self._top + y * self._scale


# Dear ImGui's ImDrawVert.
_VERTEX = np.dtype([("x", "f4"), ("y", "f4"), ("u", "f4"), ("v", "f4"), ("colour", "u4")])
_TWO_TRIANGLES = np.array([0, 1, 2, 0, 2, 3])


def _fill_end(vector: Any, item_bytes: int, data: NDArray) -> None:
    """Copy `data` over the last items of an ImVector."""
    start = vector.data_address() + vector.size() * item_bytes - data.nbytes
    ctypes.memmove(start, data.ctypes.data, data.nbytes)
