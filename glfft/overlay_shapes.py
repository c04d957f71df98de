"""Boxes, lines, text and bar charts on an ImGui draw list, in units of the display's scale."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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

    def chart(
        self, old: ColumnChart | None, count: int, colours: Sequence[Colour], frame: Box, ceiling: float
    ) -> ColumnChart:
        """A column chart to fill a box: the old one where it still fits, else a new and empty one. Draws nothing."""
        white = self._imgui.get_font_tex_uv_white_pixel()
        left, base = self._point(frame.x, frame.y + frame.height)
        place = ChartPlace(
            left, base, frame.width * self._scale, frame.height * self._scale, (white.x, white.y), ceiling
        )
        if old is not None and old.key == (count, tuple(colours), place):
            return old
        return ColumnChart(count, tuple(colours), place)

    def draw_chart(self, chart: ColumnChart) -> None:
        """Draw a chart made by `chart`."""
        self._append(chart.triangles)

    def recorded(self, key: object, draw: Callable[[], None], old: Recording | None) -> Recording | None:
        """Draw something that rarely changes: for real when `key` is new, else by copying its triangles again.

        Returns what to pass as `old` next time. A hundred calls a frame into ImGui would cost more than all else.
        """
        atlas = self._imgui.get_io().fonts.tex_data
        # A new atlas, or a moved panel, makes old vertices wrong.
        key = (key, self._left, self._top, self._scale, atlas.unique_id)
        if old is not None and old.key == key:
            self._append(old.triangles)
            return old
        draw_list, imgui = self._list, self._imgui
        commands = draw_list.cmd_buffer.size()
        first_vertex, first_index = draw_list.vtx_buffer.size(), draw_list.idx_buffer.size()
        base = draw_list._vtx_current_idx
        draw()
        if draw_list.cmd_buffer.size() != commands or atlas.unique_id != imgui.get_io().fonts.tex_data.unique_id:
            return None
        vertices = _read_end(draw_list.vtx_buffer, first_vertex, _VERTEX)
        indices = _read_end(draw_list.idx_buffer, first_index, np.dtype(f"u{imgui.INDEX_SIZE}"))
        return Recording(key, Triangles(vertices, indices - base))

    def _append(self, triangles: Triangles) -> None:
        """Write triangles straight into the space that `prim_reserve` makes in the draw list."""
        draw_list, imgui = self._list, self._imgui
        draw_list.prim_reserve(triangles.indices.size, triangles.vertices.size)
        first = draw_list._vtx_current_idx
        _fill_end(draw_list.vtx_buffer, imgui.VERTEX_SIZE, triangles.vertices)
        _fill_end(draw_list.idx_buffer, imgui.INDEX_SIZE, triangles.indices_from(first, imgui.INDEX_SIZE))
        draw_list._vtx_current_idx = first + triangles.vertices.size
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


class Triangles:
    """Vertices and indices for a draw list; indices count from the first of the vertices."""

    def __init__(self, vertices: NDArray, indices: NDArray) -> None:
        self.vertices = vertices
        self.indices = indices
        self._placed: tuple[tuple[int, int], NDArray] | None = None

    def indices_from(self, first: int, item_bytes: int) -> NDArray:
        """The indices for vertices that begin at `first`; the same as last time, as a rule."""
        if self._placed is None or self._placed[0] != (first, item_bytes):
            self._placed = ((first, item_bytes), (self.indices + first).astype(f"u{item_bytes}"))
        return self._placed[1]


@dataclass(frozen=True)
class Recording:
    """Triangles taken from a draw list, and what they depend on."""

    key: object
    triangles: Triangles


class Box(NamedTuple):
    """A rectangle in units of the canvas."""

    x: float
    y: float
    width: float
    height: float


class ChartPlace(NamedTuple):
    """Where a chart stands, in pixels, the atlas's white texel, and the value that reaches the top."""

    left: float
    base: float
    width: float
    height: float
    white: tuple[float, float]
    ceiling: float


class ColumnChart:
    """Stacked columns and a marker line as triangles; new columns come in at the right and push the others left.

    Only what is new is worked out, so that a frame costs one column and one move.

    Args:
        count: number of columns; they share the width.
        colours: of the series, lowest first, the marker's last.
    """

    def __init__(self, count: int, colours: tuple[Colour, ...], place: ChartPlace) -> None:
        self.key = (count, colours, place)
        self._place = place
        vertices = np.zeros((count, len(colours), 4), _VERTEX)
        step = place.width / count
        vertices["x"] = place.left + step * (np.arange(count)[:, None, None] + np.array([0, 1, 1, 0]))
        vertices["y"] = place.base
        vertices["u"], vertices["v"] = place.white
        vertices["colour"] = np.array([colour.packed for colour in colours], np.uint32)[:, None]
        indices = 4 * np.arange(count * len(colours), dtype=np.uint32)[:, None] + _TWO_TRIANGLES
        self.triangles = Triangles(vertices, indices)

    def push(self, series: NDArray, total: NDArray, marker: NDArray, thickness: float) -> None:
        """Add n columns, at most as many as there are.

        Args:
            series: values [series, n], lowest first; NaN is nothing.
            total: where the last series' columns end [n], its own values being what is left to that.
            marker: the line's values [n]; NaN leaves a gap.
            thickness: the marker's, in pixels.
        """
        height, n = self._place.height, len(total)
        tops = np.empty((len(series) + 2, n))
        # fmax takes the other value where one is NaN.
        np.cumsum(np.fmax(series, 0.0), axis=0, out=tops[:-2])
        tops[-2] = np.fmax(total, tops[-3]) if len(series) else total
        tops[-1] = marker
        tops *= height / self._place.ceiling
        tops[-1] += thickness
        np.minimum(tops, height, out=tops)
        bottoms = np.zeros_like(tops)
        bottoms[1:-1] = tops[:-2]
        bottoms[-1] = tops[-1] - thickness
        # A gap in the marker is a box of no height.
        np.nan_to_num(tops[-1], copy=False)
        np.nan_to_num(bottoms[-1], copy=False)
        y = self.triangles.vertices["y"]
        y[:-n] = y[n:]
        y[-n:, :, :2] = (self._place.base - tops).T[..., None]
        y[-n:, :, 2:] = (self._place.base - bottoms).T[..., None]


# Dear ImGui's ImDrawVert.
_VERTEX = np.dtype([("x", "f4"), ("y", "f4"), ("u", "f4"), ("v", "f4"), ("colour", "u4")])
_TWO_TRIANGLES = np.array([0, 1, 2, 0, 2, 3], np.uint32)


def _fill_end(vector: Any, item_bytes: int, data: NDArray) -> None:
    """Copy `data` over the last items of an ImVector."""
    start = vector.data_address() + vector.size() * item_bytes - data.nbytes
    ctypes.memmove(start, data.ctypes.data, data.nbytes)


def _read_end(vector: Any, first: int, item: np.dtype) -> NDArray:
    """A copy of an ImVector's items from `first` on."""
    start = vector.data_address() + first * item.itemsize
    return np.frombuffer(ctypes.string_at(start, (vector.size() - first) * item.itemsize), item)
