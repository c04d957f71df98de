"""The figure of performance.md about sizes that are no powers of two, performance-sizes.png (needs the extra `plot`).

Its data are performance-sizes.json, from `glfft bench --suite sizes --against cufft --json FILE`, and
performance-vkfft.json, VkFFT's times by case: microseconds, in place, forward and inverse in turn. `make pages
ARGS=--figures` draws it.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from make_performance_plot import FAINT, GRID, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HERE = Path(__file__).resolve().parent

# Colours of Paul Tol's "vibrant" scheme, and marks for those who cannot tell them apart.
LIBRARIES = {"cuFFT": ("#ee7733", "o"), "VkFFT": ("#0077bb", "D")}
LOWEST, HIGHEST = 0.55, 2.6

_NUMBER = {"textcoords": "offset points", "va": "center", "fontsize": 7, "color": FAINT}

Result = dict[str, Any]


def results() -> list[Result]:
    """What performance-sizes.json holds of glfft, in the order of the suite."""
    return json.loads((HERE / "performance-sizes.json").read_text(encoding="utf-8"))["results"]


def vkfft() -> dict[str, float]:
    """VkFFT's times by case."""
    return json.loads((HERE / "performance-vkfft.json").read_text(encoding="utf-8"))["microseconds"]


def group(result: Result) -> str:
    """The panel that a result is drawn in."""
    case, axes = result["case"], len(result["axes"])
    if axes == 1:
        return "lines, in buffers"
    if axes == 3:
        return "volumes"
    return {"real": "real pictures", "cosine": "cosine transforms"}.get(case.rpartition(" ")[2], "pictures")


def ratios(result: Result) -> dict[str, float]:
    """Times of other libraries over glfft's, by library."""
    times = {"cuFFT": result["peers"].get("cufft", {}).get("microseconds"), "VkFFT": vkfft().get(result["case"])}
    return {name: time / result["microseconds"] for name, time in times.items() if time is not None}


def label(result: Result) -> str:
    """A case and glfft's time, such as "1080×1920   23.4 µs"."""
    case = result["case"].replace("1-D ", "").removesuffix(" real").removesuffix(" cosine").replace("x", "×")
    case = case.removesuffix(" buffer") if len(result["axes"]) == 1 else case.replace(" buffer", ", buffer")
    return f"{case}   {_time(result['microseconds'])} µs"


def _time(value: float) -> str:
    return f"{value:#.3g}".rstrip(".") if value < 1000 else f"{value:.0f}"


def draw() -> None:
    """Draw performance-sizes.png: a row for each case, a mark for each library at its time over glfft's."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    groups: dict[str, list[Result]] = {}
    for result in results():
        groups.setdefault(group(result), []).append(result)
    sides = [
        [name for name in groups if name in ("pictures", "cosine transforms", "volumes")],
        [name for name in groups if name not in ("pictures", "cosine transforms", "volumes")],
    ]
    figure = Figure(figsize=(11, 8.5), layout="constrained")
    for side, names in zip(figure.subfigures(1, 2), sides, strict=True):
        panels = side.subplots(len(names), 1, sharex=True, height_ratios=[len(groups[name]) + 1 for name in names])
        for axes, name in zip(panels, names, strict=True):
            _panel(axes, name, groups[name])
        panels[-1].set_xlabel("time / glfft's time (right of the line: glfft is faster)", fontsize=9)
    marks = [
        Line2D([], [], color=colour, marker=mark, linestyle="", label=name)
        for name, (colour, mark) in LIBRARIES.items()
    ]
    figure.legend(handles=marks, loc="outside upper center", ncols=2, frameon=False, labelcolor=INK, fontsize=9)
    figure.savefig(HERE / "performance-sizes.png", dpi=110)


def _numbers(found: Collection[float]) -> list[tuple[float, int]]:
    """The ratios to write beside a row's marks, outwards of the first and the last, with their distance."""
    if not found:
        return []
    least, most = min(found), max(found)
    if least == most:
        return [(most, -6 if most < 1 else 6)]
    return [(most, 6)] + [(least, -6)] * (least < 1)


def _panel(axes: Axes, name: str, shown: list[Result]) -> None:
    for height, result in enumerate(shown):
        found = ratios(result)
        axes.plot([1, *found.values()], [height] * (len(found) + 1), color=GRID, linewidth=2, zorder=1)
        for library, ratio in found.items():
            colour, mark = LIBRARIES[library]
            axes.plot(ratio, height, color=colour, marker=mark, markersize=5, zorder=3)
        for ratio, ends in _numbers(found.values()):
            axes.annotate(f"{ratio:.2f}", (ratio, height), (ends, 0), **_NUMBER, ha="right" if ends < 0 else "left")
    axes.axvline(1, color=INK, linewidth=1, zorder=2)
    axes.set_xscale("log", base=2)
    axes.set_xlim(LOWEST, HIGHEST)
    axes.set_xticks([0.7, 1, 1.4, 2], ["0.7", "1", "1.4", "2"])
    axes.minorticks_off()
    axes.set_yticks(range(len(shown)), [label(result) for result in shown])
    axes.invert_yaxis()
    axes.tick_params(labelsize=8, colors=INK, length=0)
    axes.set_title(name, loc="left", fontsize=9, color=INK)
    axes.spines[["top", "right", "left", "bottom"]].set_visible(False)
