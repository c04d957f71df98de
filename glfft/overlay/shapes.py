"""Boxes, lines, text and pictures on an ImGui draw list, in units of the display's scale."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft.ui.imgui_layer import ImguiLayer

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


class Canvas:
    """Draws behind all ImGui windows of a frame.

    The origin is given in pixels. All other lengths are in units of `scale` pixels, with y down.
    """

    def __init__(self, layer: ImguiLayer, scale: float, left: float, top: float) -> None:
        self._layer = layer
        self._imgui = layer.imgui
        self._list: Any = layer.imgui.get_background_draw_list()
        self._text_font = layer.font
        self._number_font = layer.number_font
        self._scale = scale
        self._style_scale = layer.scale
        # Whole pixels, so that edges and glyphs are sharp.
        self._left, self._top = round(left), round(top)

    @contextmanager
    def clipped(self, frame: Box) -> Iterator[None]:
        """Draw nothing outside a box within the `with` block; the box's edges must lie on whole pixels."""
        low, high = self._point(frame.x, frame.y), self._point(frame.x + frame.width, frame.y + frame.height)
        self._list.push_clip_rect(low, high)
        yield
        self._list.pop_clip_rect()

    def panel(self, width: float, height: float, fill: Colour, border: Colour) -> None:
        """The rounded background of everything else."""
        low, high = self._point(0, 0), self._point(width, height)
        rounding = _ROUNDING * self._scale
        self._list.add_rect_filled(low, high, fill.packed, rounding)
        self._list.add_rect(low, high, border.packed, rounding, max(1.0, self._scale))

    def box(self, x: float, y: float, width: float, height: float, fill: Colour) -> None:
        """A filled rectangle."""
        self._list.add_rect_filled(self._point(x, y), self._point(x + width, y + height), fill.packed)

    def line(self, x: float, y: float, width: float, colour: Colour) -> None:
        """A thin horizontal line on whole pixels."""
        left, top = self._point(x, 0)[0], self._pixel(0, y)[1]
        thickness = max(1, round(self._scale))
        self._list.add_rect_filled((left, top), (left + width * self._scale, top + thickness), colour.packed)

    def curve(self, points: NDArray, colour: Colour, thickness: float = 1.0) -> None:
        """A line through points [n, 2]."""
        if len(points) > 1:
            pixels = [self._imgui.ImVec2(*self._point(x, y)) for x, y in points.tolist()]
            none = self._imgui.ImDrawFlags_.none
            self._list.add_polyline(pixels, colour.packed, thickness=thickness * self._scale, flags=none)

    def dot(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A filled circle."""
        self._list.add_circle_filled(self._point(x, y), radius * self._scale, colour.packed)

    def text(self, x: float, y: float, words: str, size: float, colour: Colour) -> float:
        """Words that begin at x. Returns their width."""
        return self._write(self._text_font, x, y, words, size, colour)

    def number(self, x: float, y: float, digits: str, size: float, colour: Colour) -> float:
        """The same in the font for numbers."""
        return self._write(self._number_font, x, y, digits, size, colour)

    def text_right(self, right: float, y: float, words: str, size: float, colour: Colour) -> None:
        """Words that end at `right`."""
        self._write(self._text_font, right - self._width(self._text_font, words, size), y, words, size, colour)

    def number_right(self, right: float, y: float, digits: str, size: float, colour: Colour) -> None:
        """The same in the font for numbers, so that columns of numbers are aligned."""
        x = right - self._width(self._number_font, digits, size)
        self._write(self._number_font, x, y, digits, size, colour)

    def text_within(self, x: float, y: float, width: float, words: str, size: float, colour: Colour) -> None:
        """Words cut off at `width`."""
        left, top = self._point(x, y)
        right = left + max(0.0, width) * self._scale
        clip = (left, top, right, top + 2 * size * self._scale)
        self._list.add_text(self._text_font, size * self._scale, self._pixel(x, y), colour.packed, words, 0.0, clip)

    def tag(self, x: float, y: float, words: str, size: float, colour: Colour, ground: Colour) -> None:
        """A small label on a line, with a background of its own so that it can be read over bars."""
        width = self._width(self._text_font, words, size)
        self.box(x - 3, y - size / 2 - 1, width + 6, size + 2, ground)
        self.text(x, y - size / 2 - 1, words, size, colour._replace(alpha=255))

    def picture(self, texture: moderngl.Texture, frame: Box, start: float = 0.0) -> None:
        """A texture with premultiplied alpha and row 0 at the bottom, drawn over a box.

        Args:
            start: texture coordinate at the box's left edge, 0 to 1; the texture repeats in x.
        """
        low, high = self._point(frame.x, frame.y), self._point(frame.x + frame.width, frame.y + frame.height)
        self._list.add_image(self._layer.lend(texture), low, high, (start, 1.0), (start + 1.0, 0.0))

    def recorded(self, key: object, draw: Callable[[], None], old: Recording | None) -> Recording | None:
        """Draw something that rarely changes: call `draw` if `key` is new, else copy the triangles of last time.

        A hundred calls a frame into ImGui would cost more than everything else.

        Returns:
            What to pass as `old` next time.
        """
        atlas = self._imgui.get_io().fonts.tex_data
        # If the atlas is new or the panel has moved, the old vertices are wrong.
        key = (key, self._left, self._top, self._scale, atlas.unique_id)
        if old is not None and old.key == key:
            self._append(old)
            return old
        draw_list, imgui = self._list, self._imgui
        commands = draw_list.cmd_buffer.size()
        first_vertex, first_index = draw_list.vtx_buffer.size(), draw_list.idx_buffer.size()
        first = draw_list._vtx_current_idx
        draw()
        if draw_list.cmd_buffer.size() != commands or atlas.unique_id != imgui.get_io().fonts.tex_data.unique_id:
            return None
        vertices = _read_end(draw_list.vtx_buffer, first_vertex, _VERTEX)
        indices = _read_end(draw_list.idx_buffer, first_index, np.dtype(f"u{imgui.INDEX_SIZE}"))
        return Recording(key, vertices, indices, first)

    def _append(self, triangles: Recording) -> None:
        """Write triangles into the space that `prim_reserve` makes in the draw list."""
        draw_list, imgui = self._list, self._imgui
        draw_list.prim_reserve(triangles.indices.size, triangles.vertices.size)
        first = draw_list._vtx_current_idx
        if first != triangles.first:  # usually they begin where they did last time
            index = triangles.indices.dtype.type
            triangles.indices, triangles.first = triangles.indices - index(triangles.first) + index(first), first
        _fill_end(draw_list.vtx_buffer, imgui.VERTEX_SIZE, triangles.vertices)
        _fill_end(draw_list.idx_buffer, imgui.INDEX_SIZE, triangles.indices)
        draw_list._vtx_current_idx = first + triangles.vertices.size
        # Python cannot set ImGui's write pointers. The next shape updates them: an invisible one.
        draw_list.prim_reserve(6, 4)
        draw_list.prim_rect((0, 0), (0, 0), 0)

    def _write(self, font: Any, x: float, y: float, words: str, size: float, colour: Colour) -> float:
        self._list.add_text(font, size * self._scale, self._pixel(x, y), colour.packed, words)
        return self._width(font, words, size)

    def _width(self, font: Any, words: str, size: float) -> float:
        # push_font takes a size to which ImGui applies the style's own scale.
        self._imgui.push_font(font, size * self._scale / self._style_scale)
        width = self._imgui.calc_text_size(words).x
        self._imgui.pop_font()
        return width / self._scale

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        """The nearest whole pixel, rounded relative to the canvas, so that it does not depend on the canvas's place."""
        return self._left + round(x * self._scale), self._top + round(y * self._scale)

    def _point(self, x: float, y: float) -> tuple[float, float]:
        return self._left + x * self._scale, self._top + y * self._scale


@dataclass
class Recording:
    """Triangles copied from a draw list, and what they depend on. Indices count from the first vertex of the list."""

    key: object
    vertices: NDArray
    indices: NDArray
    first: int


class Box(NamedTuple):
    """A rectangle in units of the canvas."""

    x: float
    y: float
    width: float
    height: float


# Dear ImGui's ImDrawVert.
_VERTEX = np.dtype([("x", "f4"), ("y", "f4"), ("u", "f4"), ("v", "f4"), ("colour", "u4")])


def _fill_end(vector: Any, item_bytes: int, data: NDArray) -> None:
    """Copy `data` over the last items of an ImVector."""
    start = vector.data_address() + vector.size() * item_bytes - data.nbytes
    ctypes.memmove(start, data.ctypes.data, data.nbytes)


def _read_end(vector: Any, first: int, item: np.dtype) -> NDArray:
    """A copy of an ImVector's items from `first` on."""
    start = vector.data_address() + first * item.itemsize
    return np.frombuffer(ctypes.string_at(start, (vector.size() - first) * item.itemsize), item)
