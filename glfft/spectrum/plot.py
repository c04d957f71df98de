"""A plot drawn with Pillow alone: curves over labelled axes, linear, square root or logarithmic."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

# Drawn this many times larger and reduced, which is what smooths the lines.
_OVERSAMPLING = 3
PLOT_SIZE = (1000, 680)
_MARGINS = (104, 76, 32, 84)  # left, top, right, bottom
_PAPER, _INK, _GRID, _FAINT = "#ffffff", "#222222", "#e4e4e4", "#777777"
_TEXT, _TITLE, _SMALL = 19, 22, 14


@dataclass(frozen=True)
class Curve:
    """One line of a plot; points that are no finite number are left out.

    Attributes:
        x, y: float arrays of one length.
        colour: as Pillow names colours.
        name: for the key; "" for none.
    """

    x: np.ndarray
    y: np.ndarray
    colour: str
    name: str = ""


@dataclass(frozen=True)
class Axis:
    """One axis: its label, its scale ("log", "sqrt" or "linear") and its ends in data units."""

    label: str
    scale: str
    low: float
    high: float

    def place(self, values: np.ndarray) -> np.ndarray:
        """Where values lie, as parts of the axis's length."""
        warp: Callable[[np.ndarray], np.ndarray] = {"log": np.log10, "sqrt": np.sqrt, "linear": np.asarray}[self.scale]
        low, high = (warp(np.array(end, np.float64)) for end in (self.low, self.high))
        return (warp(np.asarray(values, np.float64)) - low) / (high - low)

    @property
    def exponent(self) -> int:
        """The power of ten to take out of the labels, 0 where they are short as they are."""
        largest = math.floor(math.log10(self.high)) if self.scale != "log" else 0
        return largest if not -3 <= largest <= 3 else 0

    def ticks(self) -> list[float]:
        """Values worth a label, six or so: powers of ten, or steps of 1, 2 or 5."""
        if self.scale == "log":
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            stride = max(1, math.ceil((last - first) / 8))
            return [10.0**power for power in range(first, last + 1, stride)]
        step = _round_step((self.high - self.low) / 6)
        count = math.floor((self.high - self.low) / step + 1e-9)
        return [self.low + step * index for index in range(count + 1)]


def axis_around(label: str, scale: str, values: np.ndarray, decades: float = 12.0) -> Axis:
    """An axis that holds all finite values; on a log scale all positive ones, down to some decades below the top."""
    finite = values[np.isfinite(values)]
    if scale == "log":
        positive = finite[finite > 0]
        high = 10.0 ** math.ceil(math.log10(positive.max(initial=1e-300)) + 1e-9) if positive.size else 1.0
        low = 10.0 ** math.floor(math.log10(positive.min()) - 1e-9) if positive.size else 0.1
        return Axis(label, scale, max(low, high / 10.0**decades), high)
    top = float(finite.max(initial=0.0))
    return Axis(label, scale, 0.0, top * 1.05 if top > 0 else 1.0)


def draw_plot(
    title: str,
    x_axis: Axis,
    y_axis: Axis,
    curves: Sequence[Curve],
    marks: Sequence[tuple[float, str]] = (),
    size: tuple[int, int] = PLOT_SIZE,
) -> Image.Image:
    """Draw curves over two axes.

    Args:
        marks: x positions to mark with a dashed line, and what to write there.
        size: width and height in pixels; text keeps its own.

    Returns:
        An RGB Pillow image.
    """
    canvas = _Canvas(size)
    canvas.text((canvas.left, canvas.top - 34), title, _TITLE, "lm")
    for tick in x_axis.ticks():
        x = canvas.across(x_axis.place(np.array(tick)))
        canvas.line([(x, canvas.top), (x, canvas.bottom)], _GRID)
        canvas.line([(x, canvas.bottom), (x, canvas.bottom + 6)], _INK)
        canvas.number((x, canvas.bottom + 22), tick, x_axis.scale, "mm")
    for tick in y_axis.ticks():
        y = canvas.up(y_axis.place(np.array(tick)))
        canvas.line([(canvas.left, y), (canvas.right, y)], _GRID)
        canvas.line([(canvas.left - 6, y), (canvas.left, y)], _INK)
        canvas.number((canvas.left - 12, y), tick / 10.0**y_axis.exponent, y_axis.scale, "rm")
    if y_axis.exponent:
        canvas.power_of_ten((canvas.left - 12, canvas.top - 8), y_axis.exponent, "rm", "·")
    for position, name in marks:
        x = canvas.across(x_axis.place(np.array(position)))
        for y in range(canvas.top, canvas.bottom, 12):
            canvas.line([(x, y), (x, min(y + 6, canvas.bottom))], _FAINT)
        canvas.text((x - 8, canvas.top + 16), name, _SMALL, "rm", _FAINT)
    for curve in curves:
        canvas.curve(curve, x_axis, y_axis)
    canvas.frame()
    named = [curve for curve in curves if curve.name]
    for index, curve in enumerate(named):
        y = canvas.bottom - 24 - 26 * (len(named) - 1 - index)
        canvas.line([(canvas.left + 20, y), (canvas.left + 56, y)], curve.colour, 2.5)
        canvas.text((canvas.left + 66, y), curve.name, _TEXT, "lm")
    canvas.text(((canvas.left + canvas.right) // 2, canvas.bottom + 56), x_axis.label, _TEXT, "mm")
    canvas.upright_text((26, (canvas.top + canvas.bottom) // 2), y_axis.label)
    return canvas.finished()


def _round_step(step: float) -> float:
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * (1 - 1e-9))


class _Canvas:
    """Pillow drawing in output pixels, oversampled underneath."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size
        width, height = size
        left, top, right, bottom = _MARGINS
        self.left, self.top, self.right, self.bottom = left, top, width - right, height - bottom
        self._image = Image.new("RGB", (width * _OVERSAMPLING, height * _OVERSAMPLING), _PAPER)
        self._draw = ImageDraw.Draw(self._image)

    def across(self, part: np.ndarray) -> float:
        return self.left + float(part) * (self.right - self.left)

    def up(self, part: np.ndarray) -> float:
        return self.bottom - float(part) * (self.bottom - self.top)

    def line(self, points: Sequence[tuple[float, float]], colour: str, width: float = 1.0) -> None:
        scaled = [(x * _OVERSAMPLING, y * _OVERSAMPLING) for x, y in points]
        self._draw.line(scaled, fill=colour, width=round(width * _OVERSAMPLING), joint="curve")

    def curve(self, curve: Curve, x_axis: Axis, y_axis: Axis) -> None:
        """Draw the parts of a curve that lie on the axes, each clipped to the frame."""
        with np.errstate(divide="ignore", invalid="ignore"):
            x, y = x_axis.place(curve.x), y_axis.place(curve.y)
        known = np.isfinite(x) & np.isfinite(y) & (x > -1e-9) & (x < 1 + 1e-9)
        breaks = np.flatnonzero(~known)
        for run in np.split(np.arange(len(x)), breaks):
            run = run[known[run]]
            points = [(self.across(x[i]), self.up(np.clip(y[i], 0, 1))) for i in run]
            if len(points) > 1:
                self.line(points, curve.colour, 2.0)
            for point in points if len(points) == 1 else ():
                self.line([(point[0] - 2, point[1]), (point[0] + 2, point[1])], curve.colour, 4.0)

    def frame(self) -> None:
        corners = [(self.left, self.top), (self.left, self.bottom), (self.right, self.bottom)]
        self.line([(corners[0][0], corners[0][1]), corners[1], corners[2]], _INK, 1.3)

    def text(self, at: tuple[float, float], text: str, size: int, anchor: str, colour: str = _INK) -> None:
        place = (at[0] * _OVERSAMPLING, at[1] * _OVERSAMPLING)
        self._draw.text(place, text, fill=colour, font=_font(size), anchor=anchor)

    def number(self, at: tuple[float, float], value: float, scale: str, anchor: str) -> None:
        """A tick's label; on log scales as a power of ten with its exponent raised."""
        if scale != "log" or 0.0009 < value < 1000:
            self.text(at, f"{value:.4g}", _TEXT, anchor)
        else:
            self.power_of_ten(at, round(math.log10(value)), anchor)

    def power_of_ten(self, at: tuple[float, float], power: int, anchor: str, before: str = "") -> None:
        """10 with a raised exponent."""
        base, exponent = before + "10", str(power)
        base_width = self._draw.textlength(base, font=_font(_TEXT)) / _OVERSAMPLING
        width = base_width + self._draw.textlength(exponent, font=_font(_SMALL)) / _OVERSAMPLING + 1
        left = at[0] - width * {"r": 1.0, "m": 0.5}[anchor[0]]
        self.text((left, at[1]), base, _TEXT, "lm")
        self.text((left + base_width + 1, at[1] - 7), exponent, _SMALL, "lm")

    def upright_text(self, centre: tuple[float, float], text: str) -> None:
        """Text that reads from bottom to top; what follows a caret is raised."""
        base, _, raised = text.partition("^")
        width = self._draw.textlength(base, font=_font(_TEXT))
        whole = width + self._draw.textlength(raised, font=_font(_SMALL))
        height = 2 * _TEXT * _OVERSAMPLING
        strip = Image.new("RGB", (math.ceil(whole), height), _PAPER)
        pen = ImageDraw.Draw(strip)
        pen.text((0, height / 2), base, fill=_INK, font=_font(_TEXT), anchor="lm")
        pen.text((width, height / 2 - 7 * _OVERSAMPLING), raised, fill=_INK, font=_font(_SMALL), anchor="lm")
        strip = strip.transpose(Image.Transpose.ROTATE_90)
        place = [round(middle * _OVERSAMPLING - size / 2) for middle, size in zip(centre, strip.size, strict=True)]
        self._image.paste(strip, (place[0], place[1]))

    def finished(self) -> Image.Image:
        return self._image.resize(self._size, Image.Resampling.LANCZOS)


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    # Pillow carries this font itself, so pictures are the same everywhere.
    return ImageFont.load_default(size * _OVERSAMPLING)
