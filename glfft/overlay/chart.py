"""Stacked columns and a marker line over them, as a texture that scrolls."""

import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft.overlay.shapes import Colour


class ColumnChart:
    """A chart to which new columns are added at the right, so that the others move left.

    Call `restyle` first. The texture has one texel a column, premultiplied alpha, row 0 at the bottom. It is a ring:
    new columns replace the oldest, and the texture repeats, so that the columns from the oldest to the newest begin at
    `start`. Only new columns are computed.

    Args:
        count: number of columns.
        rows: height in texels.
        thickness: thickness of the marker line in texels.
    """

    def __init__(self, ctx: moderngl.Context, count: int, rows: int, thickness: float) -> None:
        self._count, self._rows, self._thickness = count, rows, thickness
        self.texture = ctx.texture((count, rows), 4)
        self.texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._next = 0
        self._style: tuple[tuple[Colour, ...], float] | None = None
        self._table = np.empty((0, 0), np.uint32)

    @property
    def start(self) -> float:
        """The oldest column's left edge, in texture coordinates."""
        return self._next / self._count

    def restyle(self, colours: tuple[Colour, ...], ceiling: float) -> bool:
        """Set how columns look. If that is new, the chart is emptied: push all columns again.

        Args:
            colours: of the series, lowest first; then of the rest up to the total; then of the marker.
            ceiling: the value at the top of the chart.

        Returns:
            Whether the look is new.
        """
        if self._style == (colours, ceiling):
            return False
        self._style = colours, ceiling
        self.texture.write(np.zeros((self._rows, self._count), np.uint32))
        *stacked, marker = (_premultiplied(colour) for colour in (*colours[:-1], Colour(0, 0, 0, 0), colours[-1]))
        under = np.array(stacked)
        over = marker + under * (1 - marker[3])
        # [1 where the marker is, index of the series]
        self._table = np.round(np.stack((under, over)) * 255).astype(np.uint8).view(np.uint32)[..., 0]
        return True

    def push(self, series: NDArray, total: NDArray, marker: NDArray) -> None:
        """Add n columns, at most as many as there are.

        Args:
            series: values [series, n], lowest first; NaN counts as 0.
            total: heights of the whole columns [n].
            marker: values of the marker line [n]; NaN leaves a gap.
        """
        assert self._style is not None
        scale = self._rows / self._style[1]
        tops = np.empty((len(series) + 1, len(total)))
        # If one value is NaN, fmax takes the other.
        np.cumsum(np.fmax(series, 0.0), axis=0, out=tops[:-1])
        tops[-1] = np.fmax(total, tops[-2]) if len(series) else total
        line = np.minimum(marker * scale, self._rows - self._thickness)
        height = np.arange(self._rows)[:, None] + 0.5
        index = (height >= tops[:, None] * scale).sum(axis=0)
        marked = (height >= line) & (height < line + self._thickness)
        self._write(self._table[marked.astype(np.intp), index])

    def release(self) -> None:
        """Free the texture."""
        self.texture.release()

    def _write(self, columns: NDArray[np.uint32]) -> None:
        """Write columns [rows, n] into the ring, in two parts if they cross its end."""
        until_end = self._count - self._next
        for part in (columns[:, :until_end], columns[:, until_end:]):
            if part.shape[1]:
                self.texture.write(np.ascontiguousarray(part), viewport=(self._next, 0, part.shape[1], self._rows))
                self._next = (self._next + part.shape[1]) % self._count


def _premultiplied(colour: Colour) -> NDArray[np.float64]:
    """Red, green, blue and alpha from 0 to 1."""
    alpha = colour.alpha / 255
    return np.array((*(channel / 255 * alpha for channel in colour[:3]), alpha))
