"""The report as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from glfft.papers.chapter import Chapter, Conclusion, Measured, Table
from glfft.papers.grid import Point, Spread
from glfft.papers.report import Report


def markdown(report: Report) -> str:
    """The whole report."""
    blocks = ["# What papers conclude, tested here", *about(report)]
    for chapter in report.opened:
        blocks += _chapter(chapter, report.chapters[chapter.name])
    return "\n\n".join(blocks) + "\n"


def about(report: Report) -> list[str]:
    """What is said of the device and the measuring, as paragraphs."""
    setup = report.setup
    libraries = "; ".join(f"{name}: {version}" for name, version in setup.get("libraries", {}).items())
    device = f"Here: {report.device}."
    if setup.get("software"):
        device += ' It is a software renderer: the "GPU" of this report is the CPU.'
    return [
        device,
        f"Libraries: {libraries}. Times by {setup.get('timer')}, medians of {setup.get('samples')} samples at most; "
        "in brackets the first and third quartiles.",
        "Times of different devices are never compared. All of ours are ratios to something measured in the same run.",
    ]


def _chapter(chapter: Chapter, measured: Measured) -> list[str]:
    blocks = [f"## {chapter.title}", chapter.measures, "### Conclusions", conclusions(chapter.conclusions(measured))]
    for table in chapter.tables(measured):
        blocks += [f"### {table.title}", table.text, numbers(table)]
    reasons = left_out(measured)
    return blocks + (["### Left out", "\n".join(f"- {reason}" for reason in reasons)] if reasons else [])


def conclusions(found: Iterable[Conclusion]) -> str:
    """A table of claims and verdicts."""
    return table(["the paper", "here", "what was found"], [[each.claim, each.verdict, each.sentence] for each in found])


def numbers(shown: Table) -> str:
    """A table of numbers."""
    columns = shown.columns
    rows = [[name, *(_cell(cells, point) for point in columns)] for name, cells in shown.rows.items()]
    return table([shown.points, *map(str, columns)], rows)


def left_out(measured: Measured) -> list[str]:
    """Sentences on what was skipped: a row and a reason each, with all points that it holds for."""
    found: dict[tuple[str, str], list[Point]] = {}
    for grid in measured.values():
        for (row, point), reason in grid.skipped.items():
            found.setdefault((row, reason), []).append(point)
    return [f"{row} at {', '.join(map(str, points))}: {reason}." for (row, reason), points in found.items()]


def _cell(cells: Mapping[Point, float | Spread], point: Point) -> str:
    value = cells.get(point)
    if isinstance(value, Spread):
        return f"{_number(value.middle)} ({_number(value.low)} to {_number(value.high)})"
    return "" if value is None else f"{value:g}"


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
