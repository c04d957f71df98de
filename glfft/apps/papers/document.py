"""The report as a document: headings, paragraphs, tables, lists and plots, in order, for any kind of page."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from glfft.apps.papers.chapter import Chapter
from glfft.apps.papers.claims import VERDICTS, Conclusion, Measured, Panel, Table, of_claims
from glfft.apps.papers.grid import Point, Spread
from glfft.apps.papers.report import Report


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
    """A table."""

    head: Sequence[str]  # the names of the columns
    rows: Sequence[Sequence[str]]  # their cells
    verdicts: int | None = None  # the column that holds verdicts, or None
    numbers: bool = False  # all columns but the first hold numbers


@dataclass(frozen=True)
class Items:
    """A list."""

    items: Sequence[str]


@dataclass(frozen=True)
class Picture:
    """A plot."""

    name: str  # the file's name without a suffix
    text: str  # what it shows
    panels: Sequence[Panel]  # the small plots in it


# A reason that more rows share is given with their number alone: the tables show which cells are empty.
_MOST_ROWS_NAMED = 3

Block = Heading | Text | Cells | Items | Picture

_PLOTS = (
    "Ratios in the paper and here, each of numbers from one machine. The bands are the spread of ours. On shaded "
    "ground the claim holds."
)

_VERDICTS = (
    "Mixed: the claim holds at some sizes and fails at others. Too close: the quartiles lie on both sides of its "
    "limit. By proxy: what was tested is near to the claim, and differs as the notes below each table say. Numbers in "
    "brackets are the first and third quartiles."
)


def document(report: Report) -> list[Block]:
    """The whole report."""
    opened = report.opened
    found = [(chapter, chapter.conclusions(measured)) for chapter, measured in opened]
    blocks: list[Block] = [
        Heading(1, "What papers conclude, tested here"),
        *map(Text, about(report)),
        Heading(2, "In short"),
        Cells(["paper", *VERDICTS, "by proxy"], [counts(chapter, those) for chapter, those in found], numbers=True),
        Text(_VERDICTS),
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
        f"Libraries: {libraries}. Times by {setup.get('timer')}: medians of up to {setup.get('samples')} samples, as "
        "ratios to something measured in the same run. Times of different devices are never compared.",
    ]


def counts(chapter: Chapter, conclusions: Sequence[Conclusion]) -> list[str]:
    """The author, and how many claims have each verdict, and how many were tested by proxy."""
    of_each = Counter(each.verdict for each in conclusions)
    proxies = sum(bool(each.proxy and each.here) for each in conclusions)
    author = chapter.title.split(",")[0]
    return [author, *(str(of_each[verdict] or "") for verdict in VERDICTS), str(proxies or "")]


def _chapter(chapter: Chapter, measured: Measured, conclusions: Sequence[Conclusion]) -> list[Block]:
    blocks: list[Block] = [
        Heading(2, chapter.title),
        Text(chapter.measures),
        Heading(3, "Conclusions"),
        claims(conclusions),
        *notes(conclusions),
    ]
    drawn = [*of_claims({"here": conclusions}), *chapter.figures(measured)]
    if drawn:
        blocks.append(Picture(chapter.name, _PLOTS, drawn))
    blocks += of_tables(chapter.tables(measured))
    reasons = left_out(measured)
    return blocks + ([Heading(3, "Left out"), Items(reasons)] if reasons else [])


def claims(found: Iterable[Conclusion]) -> Cells:
    """Claims by number, with what is divided by what, the ratios, and verdicts."""
    rows = [
        [str(number), each.claim, each.ratio, each.ratios_published, each.ratios_here, each.verdict]
        for number, each in enumerate(found, 1)
    ]
    return Cells(["", "claim", "ratio", "paper", "here", "verdict"], rows, verdicts=5)


def notes(found: Iterable[Conclusion]) -> list[Block]:
    """What has to be known of claims, each note once with the numbers of its claims."""
    numbers: dict[str, list[int]] = {}
    for number, each in enumerate(found, 1):
        for note in each.notes:
            numbers.setdefault(note, []).append(number)
    items = [f"{spans(those)}. {note}" for note, those in numbers.items()]
    return [Items(items)] if items else []


def spans(numbers: Sequence[int]) -> str:
    """Rising numbers in a few words, such as "2, 4–7"."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1][1:] = [number]
        else:
            found.append([number])
    return ", ".join("–".join(map(str, ends)) for ends in found)


def of_tables(tables: Iterable[Table], quartiles: bool = True) -> list[Block]:
    """Tables of numbers under their headings, with the quartiles of what was measured or without."""
    blocks: list[Block] = []
    for table in tables:
        shown = numbers(table, quartiles)
        blocks += [Heading(3, table.title), Text(table.text)]
        blocks.append(shown if shown.rows else Text("Nothing was measured."))
    return blocks


def numbers(shown: Table, quartiles: bool = True) -> Cells:
    """A table of numbers."""
    columns = shown.columns
    rows = [[name, *(_cell(cells, point, quartiles) for point in columns)] for name, cells in shown.rows.items()]
    return Cells([shown.points, *map(str, columns)], rows, numbers=True)


def left_out(measured: Measured) -> list[str]:
    """The rows and points that were skipped, a sentence for each reason; of many rows only their number."""
    found: dict[str, dict[str, list[Point]]] = {}
    for grid in measured.values():
        for (row, point), reason in grid.skipped.items():
            found.setdefault(reason, {}).setdefault(row, []).append(point)
    return [f"{reason[:1].upper()}{reason[1:]}: {_skipped(rows)}." for reason, rows in found.items()]


def _skipped(rows: Mapping[str, Sequence[Point]]) -> str:
    if len(rows) <= _MOST_ROWS_NAMED:
        return "; ".join(f"{row} at {', '.join(map(str, points))}" for row, points in rows.items())
    points = dict.fromkeys(point for those in rows.values() for point in those)
    return f"{len(rows)} rows at {', '.join(map(str, points))}"


def _cell(cells: Mapping[Point, float | Spread], point: Point, quartiles: bool) -> str:
    value = cells.get(point)
    if isinstance(value, Spread):
        if not quartiles:
            return number(value.middle)
        return f"{number(value.middle)} ({number(value.low)}–{number(value.high)})"
    return "" if value is None else f"{value:g}"


def number(value: float) -> str:
    """A number in three significant digits, or in more where units need them."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
