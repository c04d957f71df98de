"""The plots of a report, drawn by matplotlib (the extra `plot`)."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from glfft.papers.grid import Point, Spread
from glfft.papers.panels import PAPER, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Paul Tol's "vibrant" scheme: colour-blind people can tell its colours apart.
_PAPER_COLOUR = "#ee7733"
_RUN_COLOURS = ("#0077bb", "#009988", "#ee3377", "#33bbee")
_INK, _FAINT, _GRID, _HOLDS = "#1f2933", "#7b8794", "#e4e7eb", "#eef3f7"

_COLUMNS = 3
_WIDTH, _HEIGHT = 3.6, 2.75  # of a panel, in inches

# Ratios that the axis has a mark at, at most.
_MARKS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20, 50, 100, 200, 500)
_MOST_MARKS = 6
_MOST_TICKS = 6

# Between two labels at the ends of curves, of the height of a panel.
_APART = 0.085


def can_draw() -> bool:
    """Whether matplotlib is there."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def svg(panels: Sequence[Panel]) -> str:
    """A figure as an SVG element; the same panels give the same text."""
    import matplotlib

    target = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "glfft", "svg.fonttype": "path"}):
        draw(panels).savefig(target, format="svg", metadata={"Date": None, "Creator": None})
    text = target.getvalue()
    return text[text.index("<svg") :].strip()


def draw(panels: Sequence[Panel]) -> Figure:
    """A figure with a small plot for each panel."""
    from matplotlib.figure import Figure

    columns = min(_COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(_WIDTH * columns, _HEIGHT * rows), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)  # pyright: ignore
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for each, panel in zip(axes, panels, strict=False):
        _panel(each, panel)
    for unused in axes[len(panels) :]:
        unused.set_axis_off()
    return figure


def _panel(axes: Axes, panel: Panel) -> None:
    points = panel.points
    places = _places(points)
    runs = [name for name in panel.curves if name != PAPER]
    colours = {PAPER: _PAPER_COLOUR, **dict(zip(runs, _RUN_COLOURS, strict=False))}
    for name, curve in panel.curves.items():
        drawn = [point for point in points if point in curve]
        _curve(axes, [places[point] for point in drawn], [curve[point] for point in drawn], colours[name])
    low, high = _limits(panel)
    least, most = panel.range
    axes.axhspan(max(least, low), min(most, high), color=_HOLDS, zorder=0, linewidth=0)
    axes.axhline(1, color=_FAINT, linewidth=0.8, zorder=1)
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    marks = _thinned([mark for mark in _MARKS if low <= mark <= high], _MOST_MARKS, keep=1)
    axes.set_yticks(marks, [f"{mark:g}" for mark in marks])
    axes.set_yticks([], minor=True)
    shown = _thinned(points, _MOST_TICKS)
    axes.set_xticks([places[point] for point in shown], [_point_name(point) for point in shown])
    span = max(places.values()) - min(places.values()) or 1.0
    # Room for the labels at the right.
    axes.set_xlim(min(places.values()) - 0.06 * span, max(places.values()) + 0.34 * span)
    _label(axes, panel, places, colours, low, high)
    title = textwrap.fill(panel.title, 44)
    axes.set_title(title, loc="left", fontsize=8.5, color=_INK)
    axes.set_xlabel(panel.points_name, fontsize=7.5, color=_FAINT)
    axes.set_ylabel(textwrap.fill(panel.ratio, 34), fontsize=7.5, color=_FAINT)
    axes.tick_params(labelsize=7.5, colors=_INK, length=0)
    axes.grid(axis="y", color=_GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left", "bottom"]].set_visible(False)


def _curve(axes: Axes, places: Sequence[float], values: Sequence[Spread], colour: str) -> None:
    middles, lows, highs = ([getattr(value, end) for value in values] for end in ("middle", "low", "high"))
    axes.plot(places, middles, color=colour, linewidth=1.6, marker="o", markersize=3.5, zorder=4)
    if len(values) > 1:
        axes.fill_between(places, lows, highs, color=colour, alpha=0.18, linewidth=0, zorder=2)
    axes.vlines(places, lows, highs, color=colour, linewidth=1.0, alpha=0.5, zorder=3)


def _label(
    axes: Axes, panel: Panel, places: Mapping[Point, float], colours: Mapping[str, str], low: float, high: float
) -> None:
    """Name each curve at its last point, labels side by side apart from each other."""
    ends = []
    for name, curve in panel.curves.items():
        last = [point for point in panel.points if point in curve][-1]
        height = math.log(curve[last].middle / low) / math.log(high / low)
        ends.append((places[last], height, name))
    span = max(places.values()) - min(places.values()) or 1.0
    before: dict[float, float] = {}
    for place, height, name in sorted(ends):
        before[place] = max(height, before.get(place, -1.0) + _APART)
        axes.annotate(
            name,
            (place + 0.04 * span, before[place]),
            xycoords=("data", "axes fraction"),
            fontsize=7.5,
            va="center",
            color=colours[name],
            fontweight="bold",
        )


def _limits(panel: Panel) -> tuple[float, float]:
    """The ends of the axis: all ratios and 1, with some room."""
    values = [end for curve in panel.curves.values() for each in curve.values() for end in (each.low, each.high)]
    values += [1.0, *(end for end in panel.range if 0 < end < math.inf)]
    return min(values) / 1.25, max(values) * 1.25


def _places(points: Sequence[Point]) -> dict[Point, float]:
    """Where points are on the axis: numbers by their logarithm, names side by side."""
    numbers = all(isinstance(point, int) for point in points)
    return {point: math.log2(point) if numbers else float(index) for index, point in enumerate(points)}


def _point_name(point: Point) -> str:
    if isinstance(point, int) and point >= 1 << 13 and point & (point - 1) == 0:
        return f"$2^{{{point.bit_length() - 1}}}$"
    return str(point)


def _thinned(items: Sequence[Any], most: int, keep: Any = None) -> list[Any]:
    """Every so many, so that there are few; the one to keep among them."""
    step = -(-len(items) // most) or 1
    first = items.index(keep) % step if keep in items else (len(items) - 1) % step
    return list(items[first::step])
