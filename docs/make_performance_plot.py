"""The tables and the figure of performance.md, from performance.json, which `glfft bench --suite` writes.

    glfft bench --suite --against cufft --check --json FILE
    python docs/make_performance_plot.py FILE

The second command replaces performance.json by FILE, draws performance.png (needs the extra `plot`) and writes the
tables. Without FILE it draws and writes from performance.json as it is. `make pages` writes the tables, `make pages
ARGS=--figures` draws the figure too.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DATA = HERE / "performance.json"

INK, FAINT, GRID = "#1f2933", "#7b8794", "#e4e7eb"
# Paul Tol's "vibrant" scheme: colour-blind people can tell its colours apart.
KINDS = {
    "one": ("#0077bb", "one 2-D transform"),
    "batch": ("#ee7733", "2-D, many layers at once"),
    "line": ("#009988", "1-D, many lines at once"),
    "ocean": ("#ee3377", "a step of the ocean, beside the transforms in it"),
}

_NOTHING = "–"
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

Result = dict[str, Any]


def measurements() -> dict[str, Any]:
    """What performance.json holds."""
    return json.loads(DATA.read_text(encoding="utf-8"))


def beside_cufft() -> list[Result]:
    """The results in float32 that have cuFFT's beside them."""
    return [each for each in measurements()["results"] if each["storage"] == "rg32f" and "cufft" in each["peers"]]


def kind(result: Result) -> str:
    """Which of KINDS a result is."""
    if result.get("case", "").startswith("ocean"):
        return "ocean"
    if len(result["axes"]) == 1:
        return "line"
    return "one" if result["batch"] == 1 else "batch"


def name(result: Result) -> str:
    """The name of a case on the page, such as "512² × 12" or "1D 16 × 2²⁰"."""
    rows, columns = result["shape"]
    if kind(result) == "ocean":
        return f"ocean, {result['batch'] // 4} × {rows}²{' to half' if result['case'].endswith('half') else ''}"
    if kind(result) == "line":
        length = result["shape"][result["axes"][0]]
        lines = rows * columns * result["batch"] // length
        exponent = str(lines.bit_length() - 1).translate(_SUPERSCRIPTS)
        return f"1D {length} × {f'2{exponent}' if lines > 1 << 16 else lines}"
    size = f"{rows}²" if rows == columns else f"{rows} × {columns}"
    return size if result["batch"] == 1 else f"{size} × {result['batch']}"


Column = tuple[str, Callable[[Result], str]]


def _table(first: str, columns: Sequence[Column], results: Sequence[Result]) -> str:
    """A Markdown table with a row for each result, without the columns that have no value."""
    filled = [
        (head, cells) for head, cell in columns if set(cells := [cell(result) for result in results]) - {_NOTHING}
    ]
    lines = [f"| {first} | {' | '.join(head for head, _ in filled)} |", f"| --- |{' --: |' * len(filled)}"]
    lines += [
        f"| {name(result)} | {' | '.join(cells[index] for _, cells in filled)} |"
        for index, result in enumerate(results)
    ]
    return "\n".join(lines)


def table() -> str:
    """Times of the faster way beside cuFFT's, and the time to make a first plan."""

    def copies(result: Result) -> str:
        once = result.get("copy_us")
        return _time(None if once is None else result["dispatches"] * once)

    return _table(
        "µs",
        [
            ("glfft", lambda result: _time(result["microseconds"])),
            ("cuFFT", lambda result: _time(result["peers"]["cufft"]["microseconds"])),
            ("cuFFT / glfft", lambda result: f"{result['peers']['cufft']['ratio']:.2f}"),
            ("plain copies", copies),
            ("first plan, ms", lambda result: _time(result.get("setup_ms", {}).get("first"))),
        ],
        beside_cufft(),
    )


def storage_table() -> str:
    """Times in half storage beside those in float32, in the same run."""
    return _table(
        "µs",
        [
            ("storage", lambda result: f"`{result['storage']}`"),
            ("half storage", lambda result: _time(result["microseconds"])),
            ("`rg32f`", lambda result: _time(result["peers"]["rg32f"]["microseconds"])),
            ("times as fast", lambda result: f"{result['peers']['rg32f']['ratio']:.2f}"),
            ("relative error", _error),
        ],
        [each for each in measurements()["results"] if "rg32f" in each["peers"]],
    )


def error_table() -> str:
    """Relative errors of single 2-D transforms."""
    shown = [each for each in beside_cufft() if kind(each) == "one" and each.get("snr_db") is not None]
    lines = [
        f"| | {' | '.join(name(each) for each in shown)} |",
        f"| --- |{' --: |' * len(shown)}",
        f"| glfft | {' | '.join(_error(each) for each in shown)} |",
        f"| cuFFT | {' | '.join(_error(each['peers']['cufft']) for each in shown)} |",
    ]
    return "\n".join(lines)


def _error(measured: Result) -> str:
    """|result - exact| / |exact| from the signal-to-noise ratio."""
    snr = measured.get("snr_db")
    return _NOTHING if snr is None else f"{10 ** (-snr / 20):.1e}".replace("e-0", "e-")


def _time(value: float | None) -> str:
    if value is None:
        return _NOTHING
    return f"{value:.2f}" if value < 100 else f"{value:.1f}"


TABLES: dict[str, Callable[[], str]] = {
    "glfft beside cuFFT": table,
    "half storage": storage_table,
    "errors beside cuFFT": error_table,
}


def draw() -> None:
    """Draw performance.png: for each case a bar from 1 to the ratio of the times."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    results = beside_cufft()
    ratios = [result["peers"]["cufft"]["ratio"] for result in results]
    figure = Figure(figsize=(9, 0.25 * len(results) + 1.25), layout="constrained")
    axes = figure.subplots()
    heights = range(len(results))
    colours = [KINDS[kind(result)][0] for result in results]
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
    axes.set_yticks(heights, [name(result) for result in results])
    axes.invert_yaxis()
    # Room for the numbers at the ends of the bars.
    axes.set_xlim(math.floor(10 * min(ratios) - 0.6) / 10, math.ceil(10 * max(ratios) + 0.6) / 10)
    axes.tick_params(labelsize=8, colors=INK, length=0)
    axes.set_xlabel("cuFFT's time / glfft's time (right of the line: glfft is faster)", fontsize=9)
    device = measurements()["device"].partition("/")[0]
    axes.set_title(f"complex64 forward transforms of random numbers on {device}", loc="left", fontsize=10, color=INK)
    axes.spines[["top", "right", "left", "bottom"]].set_visible(False)
    axes.grid(axis="x", color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    shown = {kind(result) for result in results}
    legend = [Patch(color=colour, label=label) for key, (colour, label) in KINDS.items() if key in shown]
    axes.legend(handles=legend, loc="best", fontsize=8, frameon=False, labelcolor=INK)
    figure.savefig(HERE / "performance.png", dpi=130)


def _take(path: Path) -> None:
    """Replace performance.json by the file of a new run."""
    text = path.read_text(encoding="utf-8")
    if not any("cufft" in result["peers"] for result in json.loads(text)["results"]):
        raise SystemExit(f"{path} has no times of cuFFT; make it with: glfft bench --suite --against cufft --json FILE")
    DATA.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="of a new run")
    arguments = parser.parse_args()
    if arguments.file is not None:
        _take(arguments.file)
    draw()
    # It writes the tables of all pages. Imported here because it imports this module.
    import make_pages

    page = HERE / "performance.md"
    page.write_text(make_pages.with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
