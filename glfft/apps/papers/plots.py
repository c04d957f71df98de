"""The plots of a report, drawn by matplotlib (the extra `plot`)."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from glfft.apps.papers.claims import Panel, Point, Spread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Warm for papers, cold for runs; the first of each are of Paul Tol's "vibrant", which colour-blind people tell apart.
_PAPERS = ("#ee7733", "#b8860b", "#cc3311", "#c29b6c")
_RUNS = ("#0077bb", "#009988", "#7a4fb5", "#33bbee", "#4d5b6a", "#1f3a93", "#6aa84f", "#8e9aaf")
_INK, _FAINT, _GRID, _HOLDS = "#1f2933", "#7b8794", "#e4e7eb", "#eaf1f6"

_WIDTH, _HEIGHT, _ROW = 3.6, 2.8, 0.18  # inches: a panel's size, the height of a row of dots
_LONG_NAME, _SMALL = 12, 7.5

# The numbers that an axis of ratios may have marks at.
_MARKS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20, 50, 100, 200, 500)
_MOST_MARKS = 6

_NAMES: Any = {"frameon": False, "fontsize": _SMALL, "labelcolor": "linecolor"}  # of curves, beside or below them


def svg(panels: Sequence[Panel]) -> str:
    """A figure as an SVG element; the same panels give the same text."""
    import matplotlib

    target = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "glfft", "svg.fonttype": "path"}):
        draw(panels).savefig(target, format="svg", metadata={"Date": None, "Creator": None})
    text = target.getvalue()
    return text[text.index("<svg") :].strip()


def draw(panels: Sequence[Panel]) -> Figure:
    from matplotlib.figure import Figure

    names = max((len(str(point)) for panel in panels if not panel.has_curves for point in panel.points), default=0)
    # Long names at the left take room.
    most, width = (2, 1.5 * _WIDTH) if names > _LONG_NAME else (3, _WIDTH)
    columns = min(most, len(panels))
    heights = [_HEIGHT if panel.has_curves else 1.5 + _ROW * len(_rows(panel)) for panel in panels]
    rows = [max(heights[first : first + columns]) for first in range(0, len(panels), columns)]
    figure = Figure(figsize=(width * columns, sum(rows)), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)  # pyright: ignore
    axes = list(figure.subplots(len(rows), columns, squeeze=False, gridspec_kw={"height_ratios": rows}).flat)
    for each, panel in zip(axes, panels, strict=False):
        (_curves if panel.has_curves else _dots)(each, panel)
        each.set_title(textwrap.fill(panel.title, 46 if most == 2 else 38), loc="left", fontsize=8.5, color=_INK)
        each.tick_params(labelsize=_SMALL, colors=_INK, length=0)
        each.set_axisbelow(True)
        each.spines[["top", "right", "left", "bottom"]].set_visible(False)
    for unused in axes[len(panels) :]:
        unused.set_axis_off()
    return figure


def _rows(panel: Panel) -> dict[str, int]:
    names = [_row(name, point) for name, curve in panel.curves.items() for point in curve]
    return {name: index for index, name in enumerate(dict.fromkeys(names))}


def _row(curve: str, point: Point) -> str:
    """A point that is a number says little by itself, and runs may have different ones."""
    return point if isinstance(point, str) else f"{curve}, {_point_name(point)}"


def _curves(axes: Axes, panel: Panel) -> None:
    _set_ratios(panel, axes, "y")
    axes.set_ylabel(textwrap.fill(panel.ratio, 36), fontsize=_SMALL, color=_FAINT)
    colours = _colours(panel)
    ends = {name: curve[max(curve)].middle for name, curve in panel.curves.items()}
    for name in sorted(ends, key=lambda name: -ends[name]):
        points, values = zip(*sorted(panel.curves[name].items()), strict=True)
        (middles, lows, highs), colour = _parts(values), colours[name]
        axes.plot(points, middles, label=name, color=colour, linewidth=1.6, marker="o", markersize=3.5, zorder=4)
        axes.fill_between(points, lows, highs, color=colour, alpha=0.16, linewidth=0, zorder=2)
        axes.vlines(points, lows, highs, color=colour, linewidth=1.0, alpha=0.5, zorder=3)
    shown = _thinned(panel.points)
    axes.set_xscale("log", base=2)
    axes.set_xticks(shown, [_point_name(point) for point in shown])
    axes.minorticks_off()
    axes.set_xlabel(panel.points_name, fontsize=_SMALL, color=_FAINT)
    axes.margins(x=0.06)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=1.0, borderaxespad=0.3, **_NAMES)


def _parts(values: Sequence[Spread]) -> tuple[list[float], ...]:
    return tuple([getattr(value, part) for value in values] for part in ("middle", "low", "high"))


def _dots(axes: Axes, panel: Panel) -> None:
    rows = _rows(panel)
    _set_ratios(panel, axes, "x")
    lines = textwrap.wrap(panel.ratio, 50)
    axes.set_xlabel("\n".join(lines), fontsize=_SMALL, color=_FAINT)
    axes.set_yticks(list(rows.values()), list(rows))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    colours = _colours(panel)
    for name, curve in panel.curves.items():
        places = [rows[_row(name, point)] for point in curve]
        middles, lows, highs = _parts([*curve.values()])
        axes.hlines(places, lows, highs, color=colours[name], linewidth=1.6, alpha=0.4, zorder=3)
        axes.plot(middles, places, color=colours[name], linestyle="", marker="o", markersize=4, zorder=4, label=name)
    # This many font sizes below the axis leave room for its marks and its name.
    below = {"loc": "upper left", "bbox_to_anchor": (0.0, 0.0), "borderaxespad": 2.0 + 1.3 * len(lines)}
    axes.legend(ncols=2, handletextpad=0.0, columnspacing=0.8, **below, **_NAMES)


def _set_ratios(panel: Panel, axes: Axes, name: str) -> None:
    """The axis "x" or "y" of a panel's ratios, logarithmic, with a line at 1 and the range of the claim shaded."""
    across = name == "x"
    axis = axes.xaxis if across else axes.yaxis
    line, span = (axes.axvline, axes.axvspan) if across else (axes.axhline, axes.axhspan)
    values = [end for curve in panel.curves.values() for each in curve.values() for end in (each.low, each.high)]
    values += [1.0, *(end for end in panel.range or () if 0 < end < math.inf)]
    low, high = min(values) / 1.25, max(values) * 1.25
    axes.set(**{f"{name}scale": "log", f"{name}lim": (low, high)})
    line(1, color=_FAINT, linewidth=0.8, zorder=1)
    if panel.range is not None:
        span(max(panel.range[0], low), min(panel.range[1], high), color=_HOLDS, zorder=0, linewidth=0)
    marks = _thinned([mark for mark in _MARKS if low <= mark <= high], keep=1)
    axis.set_ticks(marks, [f"{mark:g}" for mark in marks])
    axis.set_ticks([], minor=True)
    axis.grid(color=_GRID, linewidth=0.6)


def _colours(panel: Panel) -> dict[str, str]:
    return {
        name: palette[index % len(palette)]
        for curves, palette in ((panel.published, _PAPERS), (panel.here, _RUNS))
        for index, name in enumerate(curves)
    }


def _point_name(point: int) -> str:
    return f"$2^{{{point.bit_length() - 1}}}$" if point >= 1 << 13 and point.bit_count() == 1 else str(point)


def _thinned(items: Sequence[Any], keep: Any = None) -> list[Any]:
    """A few points at equal steps, among them the one to keep, or else the last."""
    step = -(-len(items) // _MOST_MARKS) or 1
    first = items.index(keep) % step if keep in items else (len(items) - 1) % step
    return list(items[first::step])
