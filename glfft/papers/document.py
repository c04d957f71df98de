"""The report as a document: headings, paragraphs, tables, lists and plots, in order, for any kind of page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from glfft.papers.chapter import Chapter, Conclusion, Measured, Table
from glfft.papers.grid import Point, Spread
from glfft.papers.panels import Panel, of_claims, of_figures
from glfft.papers.report import Report


@dataclass(frozen=True)
class Heading:
    """A heading; of level 1 the title, of 2 a chapter's, of 3 a section's."""

    level: int
    text: str


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Cells:
    """A table.

    Attributes:
        head: the names of the columns.
        rows: their cells.
        verdicts: the column that holds verdicts, or None.
        numbers: all columns but the first hold numbers.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    verdicts: int | None = None
    numbers: bool = False


@dataclass(frozen=True)
class Items:
    """A list."""

    items: Sequence[str]


@dataclass(frozen=True)
class Picture:
    """A plot.

    Attributes:
        name: the file's name without a suffix.
        text: what it shows.
        panels: the small plots in it.
    """

    name: str
    text: str
    panels: Sequence[Panel]


Block = Heading | Text | Cells | Items | Picture

_PLOTS = (
    "Ratios in the paper and here, each of numbers from one machine. The bands are the spread of ours. On shaded "
    "ground the claim holds."
)


def document(report: Report) -> list[Block]:
    """The whole report."""
    opened = report.opened
    found = [(chapter, chapter.conclusions(measured)) for chapter, measured in opened]
    short = [[_author(chapter), each.claim, each.verdict, _proxy(each)] for chapter, those in found for each in those]
    blocks: list[Block] = [
        Heading(1, "What papers conclude, tested here"),
        *map(Text, about(report)),
        Heading(2, "In short"),
        Cells(["paper", "it says", "here", "proxy"], short, verdicts=2),
        Text(
            "A proxy is a test of something near to what the claim is about. What it is stands beside the claim below."
        ),
    ]
    for (chapter, measured), (_, conclusions) in zip(opened, found, strict=True):
        blocks += _chapter(chapter, measured, conclusions)
    return blocks


def about(report: Report) -> list[str]:
    """Paragraphs about the device and the measuring."""
    setup = report.setup
    device = f"Here: {report.device}."
    if setup.get("software"):
        device += (
            f" It is a software renderer on {setup.get('cores')} cores: what this report calls the GPU is the CPU."
        )
    libraries = "; ".join(setup.get("libraries", {}).values())
    return [
        device,
        f"Libraries: {libraries}. Times by {setup.get('timer')}: medians of up to {setup.get('samples')} samples, in "
        "brackets the first and third quartiles.",
        "Times of different devices are never compared. All of ours are ratios to something measured in the same run.",
    ]


def _proxy(conclusion: Conclusion) -> str:
    return "proxy" if conclusion.proxy else ""


def _author(chapter: Chapter) -> str:
    return chapter.title.split(",")[0]


def _chapter(chapter: Chapter, measured: Measured, conclusions: Sequence[Conclusion]) -> list[Block]:
    blocks: list[Block] = [
        Heading(2, chapter.title),
        Text(chapter.measures),
        Heading(3, "Conclusions"),
        claims(conclusions),
    ]
    drawn = [*of_claims({"here": conclusions}), *of_figures(chapter.figures(measured))]
    if drawn:
        blocks.append(Picture(chapter.name, _PLOTS, drawn))
    for table in chapter.tables(measured):
        shown = numbers(table)
        blocks += [Heading(3, table.title), Text(table.text)]
        blocks.append(shown if shown.rows else Text("Nothing was measured."))
    reasons = left_out(measured)
    return blocks + ([Heading(3, "Left out"), Items(reasons)] if reasons else [])


def claims(found: Iterable[Conclusion]) -> Cells:
    """Claims, verdicts and what was found."""
    rows = [[each.claim, each.verdict, each.sentence] for each in found]
    return Cells(["the paper", "here", "what was found"], rows, verdicts=1)


def numbers(shown: Table) -> Cells:
    """A table of numbers."""
    columns = shown.columns
    rows = [[name, *(_cell(cells, point) for point in columns)] for name, cells in shown.rows.items()]
    return Cells([shown.points, *map(str, columns)], rows, numbers=True)


def left_out(measured: Measured) -> list[str]:
    """The rows and points that were skipped, a sentence for each reason."""
    found: dict[str, dict[str, list[Point]]] = {}
    for grid in measured.values():
        for (row, point), reason in grid.skipped.items():
            found.setdefault(reason, {}).setdefault(row, []).append(point)
    return [
        f"{reason[:1].upper()}{reason[1:]}: "
        + "; ".join(f"{row} at {', '.join(map(str, points))}" for row, points in rows.items())
        + "."
        for reason, rows in found.items()
    ]


def _cell(cells: Mapping[Point, float | Spread], point: Point) -> str:
    value = cells.get(point)
    if isinstance(value, Spread):
        return f"{number(value.middle)} ({number(value.low)} to {number(value.high)})"
    return "" if value is None else f"{value:g}"


def number(value: float) -> str:
    """A number in three significant digits, or in more where units need them."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
