"""Draws the figures of how-it-works.md and conventions.md: `make pages ARGS=--figures` (needs the extra `plot`)."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import stockham_by_hand
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, PathPatch, Rectangle
from matplotlib.path import Path as Curve
from PIL import Image

import glfft

HERE = Path(__file__).parent

INK, FAINT, PAPER = "#1f2933", "#7b8794", "#ffffff"
# Paul Tol's "vibrant" scheme and four of "muted": told apart with colour-blind eyes too.
THREADS = ("#0077bb", "#ee7733", "#009988", "#cc3311", "#882255", "#88ccee", "#999933", "#332288")

_SIDE = 15.0  # of a texture in the figure of the two dispatches

mpl.rcParams.update({"font.family": "DejaVu Sans", "font.size": 9, "text.color": INK, "savefig.facecolor": PAPER})


def draw_stockham() -> None:
    """The flow of 16 points through two radix-4 stages, and through four of radix 2."""
    figure, (four, two) = plt.subplots(1, 2, figsize=(11, 5.6), width_ratios=(2.05, 4))
    _flow(four, stockham_by_hand.RADIX_4, "radix 4: 4 threads, 1 exchange")
    _flow(two, stockham_by_hand.RADIX_2, "radix 2: 8 threads, 3 exchanges")
    figure.subplots_adjust(left=0.035, right=0.965, top=0.91, bottom=0.075, wspace=0.16)
    _save(figure, "stockham-16.png")


def _flow(axes: Axes, radices: tuple[int, ...], title: str) -> None:
    length = stockham_by_hand.LENGTH
    threads = length // radices[0]
    stages = stockham_by_hand.stages(radices)
    for column, butterflies in enumerate(stages):
        left, middle, right = 2.0 * column, 2.0 * column + 0.9, 2.0 * column + 2.0
        for butterfly in butterflies:
            colour = THREADS[butterfly.j]
            centre = (butterfly.j + 0.5) * radices[column] - 0.5
            for at in butterfly.reads:
                _curve(axes, (left, at), (middle, centre), colour)
            for at in butterfly.writes:
                _curve(axes, (middle, centre), (right, at), colour)
            axes.plot(middle, centre, "o", ms=11, mfc=PAPER, mec=colour, mew=1.8, zorder=4)
            axes.text(middle, centre, str(butterfly.j), ha="center", va="center_baseline", fontsize=7.5, zorder=5)
    for column in range(len(stages) + 1):
        for position in range(length):
            axes.plot(2.0 * column, position, "s", ms=5.5, color=THREADS[position % threads], zorder=4)
        axes.text(2.0 * column, length + 0.15, _column_name(column, len(stages)), ha="center", va="top", color=FAINT)
    for position in range(length):
        axes.text(-0.22, position, f"f[{position}]", ha="right", va="center", fontsize=8)
        axes.text(2.0 * len(stages) + 0.22, position, f"F[{position}]", ha="left", va="center", fontsize=8)
    axes.set_title(title, fontsize=11, pad=8)
    axes.set_xlim(-0.95, 2.0 * len(stages) + 0.95)
    axes.set_ylim(length + 0.9, -0.6)
    axes.axis("off")


def _column_name(column: int, stages: int) -> str:
    return "texture" if column in (0, stages) else "shared memory"


def _curve(axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
    bend = 0.5 * (end[0] - start[0])
    points = [start, (start[0] + bend, start[1]), (end[0] - bend, end[1]), end]
    codes = [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4]
    axes.add_patch(PathPatch(Curve(points, codes), fc="none", ec=colour, lw=1.1, alpha=0.8))


def draw_dispatches() -> None:
    """A 2-D transform: rows into the target, a barrier, columns in place, a barrier."""
    figure, axes = plt.subplots(figsize=(11, 2.9))
    axes.set_xlim(0, 110)
    axes.set_ylim(0, 28)
    axes.axis("off")
    axes.set_aspect("equal")
    places = (2, 45, 88)
    for left, name, lines in zip(places, ("source", "target", "target"), ("rows", "columns", "columns"), strict=True):
        _texture(axes, left, name, lines)
    for left, name in ((places[0], "dispatch 1: rows"), (places[1], "dispatch 2: columns")):
        start, end = left + _SIDE + 3, left + 42.5
        axes.text((start + end) / 2, 25.0, name, ha="center", fontsize=10)
        corner = (start + 3.6, 10)
        axes.add_patch(FancyBboxPatch(corner, 15, 12, boxstyle="round,rounding_size=1", fc="#f5f7fa", ec=FAINT))
        axes.text(
            corner[0] + 7.5, 16, "a work group\ntakes a line:\nregisters,\nshared memory", ha="center", va="center"
        )
        _arrow(axes, (start, 16), (corner[0] - 0.5, 16))
        _arrow(axes, (corner[0] + 15.5, 16), (end, 16))
    for left, bits in ((places[1], "TEXTURE_FETCH"), (places[2], "for next_use")):
        at = left + _SIDE + 1.6
        axes.plot([at, at], [6.2, 25], color=THREADS[3], lw=1.6, ls=(0, (3, 2)))
        axes.text(at, 4.9, f"barrier\n{bits}", ha="center", va="top", color=THREADS[3])
    figure.subplots_adjust(left=0.005, right=0.995, top=0.99, bottom=0.01)
    _save(figure, "two-dispatches.png")


def _texture(axes: Axes, left: float, name: str, lines: str) -> None:
    bottom = 8.5
    axes.add_patch(Rectangle((left, bottom), _SIDE, _SIDE, fc="#e4edf5", ec="none"))
    for offset in (0.25 * _SIDE, 0.625 * _SIDE):
        corner = (left, bottom + offset) if lines == "rows" else (left + offset, bottom)
        size = (_SIDE, _SIDE / 8) if lines == "rows" else (_SIDE / 8, _SIDE)
        axes.add_patch(Rectangle(corner, *size, fc=THREADS[0], ec="none", alpha=0.75))
    axes.add_patch(Rectangle((left, bottom), _SIDE, _SIDE, fc="none", ec=INK, lw=1.2))
    axes.text(left + _SIDE / 2, bottom + _SIDE + 1.2, name, ha="center", fontsize=10)


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    style = {"arrowstyle": "-|>", "mutation_scale": 11, "shrinkA": 0, "shrinkB": 0}
    axes.add_patch(FancyArrowPatch(start, end, color=INK, lw=1.2, **style))


def draw_orders() -> None:
    """A picture, its spectrum in FFT order and with quadrants swapped, and what one forgotten factor does to it."""
    with Image.open(HERE.parent / "assets" / "dunes.jpg") as dunes:
        picture = np.asarray(dunes.convert("L").crop((230, 150, 358, 278)), np.float32) / 255
    fade = np.hanning(128)[:, None] * np.hanning(128)
    ctx = glfft.open_context()
    spectrum = glfft.fft2((picture - picture.mean()) * fade, ctx=ctx)
    rows, columns = np.indices(picture.shape)
    forgotten = glfft.ifft2(glfft.fft2(picture * (-1.0) ** (rows + columns), ctx=ctx), ctx=ctx).real
    ctx.release()
    decibels = 20 * np.log10(np.abs(spectrum) + 1e-9)
    top = decibels.max()
    panels = (
        ("a picture", picture, "gray", (0, 1)),
        ("its spectrum in FFT order", decibels, "magma", (top - 70, top)),
        ("quadrants swapped", np.fft.fftshift(decibels), "magma", (top - 70, top)),
        ("one factor forgotten (a corner)", forgotten[:44, :44], "gray", (-1, 1)),
    )
    figure, axes = plt.subplots(1, 4, figsize=(11, 2.95))
    for each, (title, values, colours, (low, high)) in zip(axes, panels, strict=True):
        each.imshow(values, cmap=colours, vmin=low, vmax=high, interpolation="nearest")
        each.set_title(title, fontsize=10)
        each.axis("off")
    figure.subplots_adjust(left=0.01, right=0.99, top=0.91, bottom=0.02, wspace=0.05)
    _save(figure, "orders.png")


def _save(figure: Figure, name: str) -> None:
    figure.savefig(HERE / name, dpi=110, metadata={"Software": None})
    plt.close(figure)


if __name__ == "__main__":
    draw_stockham()
    draw_dispatches()
    draw_orders()
