"""The tables and the figure of performance.md, from the measurements in performance.json.

`make docs` writes the table, `make docs ARGS=--figures` draws the figure too (needs the extra `plot`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent

INK, FAINT, GRID = "#1f2933", "#7b8794", "#e4e7eb"
# Paul Tol's "vibrant" scheme: told apart with colour-blind eyes too.
KINDS = {
    "one": ("#0077bb", "one 2-D transform"),
    "batch": ("#ee7733", "2-D, many layers at once"),
    "line": ("#009988", "1-D, many lines at once"),
}


def measurements() -> dict[str, Any]:
    """What performance.json holds: times in microseconds, case by case."""
    return json.loads((HERE / "performance.json").read_text(encoding="utf-8"))


def best(case: dict[str, Any], prefix: str = "") -> float:
    """The shorter of out of place and in place."""
    return min(case[key] for key in (f"{prefix}out", f"{prefix}in") if key in case)


def ratio(case: dict[str, Any]) -> float:
    """cuFFT's time over glfft's, each the best of its two."""
    return best(case, "cufft_") / best(case)


def table() -> str:
    """The cases as Markdown."""
    lines = [
        "| µs | glfft, out of place | in place | cuFFT, out of place | in place | best by best | two copies |",
        "| --- | --: | --: | --: | --: | --: | --: |",
    ]
    for case in measurements()["cases"]:
        times = [case.get(key) for key in ("out", "in", "cufft_out", "cufft_in")]
        copies = 2 * case["copy"] if "copy" in case else None
        cells = [*map(_time, times), f"{ratio(case):.2f}", _time(copies)]
        lines.append(f"| {case['name']} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _time(microseconds: float | None) -> str:
    if microseconds is None:
        return "–"
    return f"{microseconds:.2f}" if microseconds < 100 else f"{microseconds:.1f}"


TABLES: dict[str, Callable[[], str]] = {"glfft beside cuFFT": table}


def draw() -> None:
    """Draw performance.png: a bar a case, from 1 to the ratio of the times."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    data = measurements()
    cases = data["cases"]
    figure = Figure(figsize=(9, 5.0), layout="constrained")
    axes = figure.subplots()
    ratios = [ratio(case) for case in cases]
    heights = range(len(cases))
    colours = [KINDS[case["kind"]][0] for case in cases]
    axes.barh(heights, [each - 1 for each in ratios], left=1, height=0.62, color=colours)
    for height, each in zip(heights, ratios, strict=True):
        away = 4 if each >= 1 else -4
        axes.annotate(
            f"{each:.2f}",
            (each, height),
            (away, 0),
            textcoords="offset points",
            ha="left" if each >= 1 else "right",
            va="center",
            fontsize=8,
            color=INK,
        )
    axes.axvline(1, color=INK, linewidth=1)
    axes.set_yticks(heights, [case["name"] for case in cases])
    axes.invert_yaxis()
    axes.set_xlim(0.6, 1.2)
    axes.tick_params(labelsize=8, colors=INK, length=0)
    axes.set_xlabel("cuFFT's time / glfft's time (right of the line: glfft is faster)", fontsize=9)
    axes.set_title(
        f"complex64 forward transforms of random numbers on an {data['device']}", loc="left", fontsize=10, color=INK
    )
    axes.spines[["top", "right", "left", "bottom"]].set_visible(False)
    axes.grid(axis="x", color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    legend = [Patch(color=colour, label=label) for colour, label in KINDS.values()]
    axes.legend(handles=legend, loc="lower left", fontsize=8, frameon=False, labelcolor=INK)
    figure.savefig(HERE / "performance.png", dpi=130)


if __name__ == "__main__":
    draw()
