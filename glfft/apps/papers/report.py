"""A report: what was measured on one device, as data; and as a document in Markdown or HTML, or all in a folder."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

import glfft
from glfft.apps.papers import NAMES, claims, open_chapters, plots
from glfft.apps.papers.chapter import Chapter, read_text
from glfft.apps.papers.claims import Conclusion, Grid, Measured, Panel, Spread, Table, of_claims
from glfft.apps.papers.measuring import Run
from glfft.apps.picture_files import cores
from glfft.errors import OutputError
from glfft.files import check_writable, make_folder, write_whole
from glfft.profiling.timing import timer_name

_NO_PLOTS = "This report has no plots: they need matplotlib; in a checkout of glfft run: pip install '.[plot]'."


@dataclass(frozen=True)
class Report:
    """The measurements of one device."""

    device: str  # the renderer's name
    setup: Mapping[str, Any]  # versions, the clock, the libraries, how many samples
    chapters: Mapping[str, Mapping[str, Grid]] = field(default_factory=dict)  # the grids of each chapter, by name

    def to_json(self) -> str:
        """The report as JSON, a row of a grid to a line."""
        parts = {name: {part: grids[part].to_json() for part in grids} for name, grids in self.chapters.items()}
        return f"{_indented({'device': self.device, 'setup': dict(self.setup), 'chapters': parts})}\n"

    @property
    def opened(self) -> list[tuple[Chapter, Measured]]:
        """The chapters that were measured, in the report's order, each with its grids."""
        software = bool(self.setup.get("software"))
        opened = open_chapters([name for name in NAMES if name in self.chapters])
        return [(chapter, Measured(self.chapters[chapter.name], software)) for chapter in opened]


def _indented(data: Any, depth: int = 0) -> str:
    """Data as JSON with lists on one line each."""
    if not isinstance(data, dict) or not data:
        return json.dumps(data, separators=(",", ":"))
    items = [f"{json.dumps(key)}: {_indented(value, depth + 1)}" for key, value in data.items()]
    indent = "\n" + " " * (depth + 1)
    return f"{{{indent}{f',{indent}'.join(items)}{indent[:-1]}}}"


def measure(run: Run, names: Sequence[str], chapter_done: Callable[[Report], object]) -> Report:
    """Measure chapters by name, `chapter_done` after each. OptionError for others, AccuracyError for wrong kernels."""
    chapters, found, info = open_chapters(names), dict[str, Mapping[str, Grid]](), run.ctx.info
    setup = {
        "glfft": glfft.__version__,
        "opengl": info["GL_VERSION"],
        "timer": timer_name(run.ctx),
        "software": run.software,
        "cores": cores(),
        "quick": run.quick,
        "samples": run.samples,
        "libraries": {peer.name: peer.description for peer in run.peers},
    }
    report = Report(str(info["GL_RENDERER"]), setup, found)
    for chapter in chapters:
        run.progress(chapter.name)
        found[chapter.name] = chapter.measure(run)
        chapter_done(report)
    return report


@dataclass(frozen=True)
class Heading:
    level: int  # 1 of the title, 2 of a chapter, 3 of a section
    text: str


@dataclass(frozen=True)
class Cells:
    head: Sequence[str]  # the names of the columns
    rows: Sequence[Sequence[str]]  # their cells
    verdicts: int | None = None  # the column that holds verdicts, or None
    numbers: bool = False  # all columns but the first hold numbers


@dataclass(frozen=True)
class Picture:
    name: str  # the file's name without a suffix
    text: str  # what it shows
    panels: Sequence[Panel]  # the small plots in it


Block = Heading | str | list[str] | Cells | Picture
"""A paragraph is its text, and a list its items."""

# A reason that more rows share is given with their number alone: the tables show which cells are empty.
_MOST_ROWS_NAMED = 3

_TEXTS = tomllib.loads(read_text("report.toml"))


def document(report: Report) -> list[Block]:
    found = [(chapter, measured, chapter.conclusions(measured)) for chapter, measured in report.opened]
    return [
        Heading(1, "What papers conclude, tested here"),
        *about(report),
        Heading(2, "In short"),
        Cells(["paper", *claims.VERDICTS, "by proxy"], [counts(each, those) for each, _, those in found], numbers=True),
        _TEXTS["verdicts"],
        *(block for each in found for block in _chapter(*each)),
    ]


def about(report: Report) -> list[str]:
    setup = report.setup
    device = f"Here: {report.device}."
    if setup.get("software"):
        device += f" It is a software renderer on {setup['cores']} cores: what this report calls the GPU is the CPU."
    libraries = "; ".join(setup.get("libraries", {}).values())
    times = f"Times by {setup.get('timer')}: medians of up to {setup.get('samples')} samples, as ratios to something"
    alike = "measured in the same run. Times of different devices are never compared."
    return [device, f"Libraries: {libraries}. {times} {alike}"]


def counts(chapter: Chapter, conclusions: Sequence[Conclusion]) -> list[str]:
    of_each = Counter(each.verdict for each in conclusions)
    proxies = sum(bool(each.proxy and each.here) for each in conclusions)
    author = chapter.title.split(",")[0]
    return [author, *(str(of_each[verdict] or "") for verdict in claims.VERDICTS), str(proxies or "")]


def _chapter(chapter: Chapter, measured: Measured, conclusions: Sequence[Conclusion]) -> list[Block]:
    rows = [
        [str(number), each.claim, each.ratio, each.ratios_published, each.ratios_here, each.verdict]
        for number, each in enumerate(conclusions, 1)
    ]
    drawn = [*of_claims({"here": conclusions}), *chapter.figures(measured)]
    reasons = left_out(measured)
    return [
        Heading(2, chapter.title),
        chapter.measures,
        Heading(3, "Conclusions"),
        Cells(["", "claim", "ratio", "paper", "here", "verdict"], rows, verdicts=5),
        *notes(conclusions),
        *([Picture(chapter.name, _TEXTS["plots"], drawn)] if drawn else []),
        *of_tables(chapter.tables(measured)),
        *([Heading(3, "Left out"), reasons] if reasons else []),
    ]


def notes(found: Iterable[Conclusion]) -> list[Block]:
    """What has to be known of claims, each note once with the numbers of its claims."""
    numbers: dict[str, list[int]] = {}
    for number, each in enumerate(found, 1):
        for note in each.notes:
            numbers.setdefault(note, []).append(number)
    items = [f"{spans(those)}. {note}" for note, those in numbers.items()]
    return [items] if items else []


def spans(numbers: Sequence[int]) -> str:
    """Rising numbers in a few words, such as "2, 4–7"."""
    # Numbers that follow each other lie equally far from their places.
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda each: each[1] - each[0])]
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def of_tables(tables: Iterable[Table], quartiles: bool = True) -> list[Block]:
    """Tables of numbers under their headings, with the quartiles of what was measured or without."""
    blocks: list[Block] = []
    for table in tables:
        shown = numbers(table, quartiles)
        blocks += [Heading(3, table.title), table.text, shown if shown.rows else "Nothing was measured."]
    return blocks


def numbers(shown: Table, quartiles: bool = True) -> Cells:
    def cell(value: float | Spread | None) -> str:
        if not isinstance(value, Spread):
            return "" if value is None else f"{value:g}"
        spread = f" ({number(value.low)}–{number(value.high)})" if quartiles else ""
        return f"{number(value.middle)}{spread}"

    columns = shown.columns
    rows = [[name, *(cell(cells.get(point)) for point in columns)] for name, cells in shown.rows.items()]
    return Cells([shown.points_name, *map(str, columns)], rows, numbers=True)


def left_out(measured: Measured) -> list[str]:
    """The rows and points that were skipped, a sentence for each reason; of many rows only their number."""
    found: dict[str, dict[str, list[str]]] = {}
    for grid in measured.values():
        for (row, point), reason in grid.skipped.items():
            found.setdefault(reason, {}).setdefault(row, []).append(str(point))
    sentences = []
    for reason, rows in found.items():
        if len(rows) > _MOST_ROWS_NAMED:
            rows = {f"{len(rows)} rows": dict.fromkeys(point for points in rows.values() for point in points)}
        skipped = "; ".join(f"{row} at {', '.join(points)}" for row, points in rows.items())
        sentences.append(f"{reason[:1].upper()}{reason[1:]}: {skipped}.")
    return sentences


def number(value: float) -> str:
    """A number in three significant digits, or in more where units need them."""
    return f"{value:.3g}" if abs(value) < 999.5 else f"{value:.0f}"


def check(target: str) -> None:
    """Raise OutputError, before long work, where a report cannot be written or has the suffix of another format."""
    suffix = Path(target).suffix
    if suffix in (".md", ".html", ".json"):
        check_writable(target)
    elif suffix[1:].isalpha() and not Path(target).is_dir():
        raise OutputError(f"Cannot write {target}: a report is a file that ends in .md, .html or .json, or a folder.")
    else:
        make_folder(target)


def write(report: Report, target: str) -> None:
    """Write a report as its suffix says, without one as a folder. Raises OutputError where it cannot be written."""
    path = Path(target)
    texts = {".json": Report.to_json, ".md": as_text, ".html": lambda report: html(*_drawn(report))}
    if path.suffix in texts:
        files = {path: texts[path.suffix](report)}
    else:
        folder, (blocks, drawn) = make_folder(target), _drawn(report)
        files = {folder / "report.json": report.to_json()} | {folder / f"{name}.svg": drawn[name] for name in drawn}
        files[folder / "report.md"] = markdown(blocks, {name: f"{name}.svg" for name in drawn})
        files[folder / "report.html"] = html(blocks, drawn)
    for file, text in files.items():
        write_whole(file, text.encode("utf-8"))


def as_text(report: Report) -> str:
    return markdown(document(report), {})


def _drawn(report: Report) -> tuple[list[Block], dict[str, str]]:
    """The document, and its plots as SVG by name; without matplotlib none, and the document says so."""
    blocks = document(report)
    if find_spec("matplotlib") is None:
        return [blocks[0], _NO_PLOTS, *blocks[1:]], {}
    return blocks, {block.name: plots.svg(block.panels) for block in blocks if isinstance(block, Picture)}


def markdown(blocks: Iterable[Block], drawn: Mapping[str, str]) -> str:
    """The text of a page, with the file of each plot by its name; plots that are not in `drawn` are left out."""
    return "\n\n".join(filter(None, (_as_markdown(each, drawn) for each in blocks))) + "\n"


def _as_markdown(block: Block, drawn: Mapping[str, str]) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {block.text}"
        case str():
            return block
        case list():
            return "\n".join(f"- {item}" for item in block)
        case Cells():
            return markdown_table(block)
        case Picture():
            return f"![{block.text}]({drawn[block.name]})" if block.name in drawn else ""


def markdown_table(cells: Cells) -> str:
    rest = " --: |" if cells.numbers else " --- |"
    escaped = ([cell.replace("|", r"\|") for cell in row] for row in (cells.head, *cells.rows))
    head, *rows = (f"| {' | '.join(row)} |" for row in escaped)
    return "\n".join([head, f"| --- |{rest * (len(cells.head) - 1)}", *rows])


def html(blocks: Sequence[Block], drawn: Mapping[str, str]) -> str:
    """The text of the file, with the SVG of each plot by its name; plots that are not in `drawn` are left out."""
    title = next(block.text for block in blocks if isinstance(block, Heading))
    body = "\n".join(filter(None, (_as_html(each, drawn, blocks) for each in blocks)))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{read_text('report.css')}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _as_html(block: Block, drawn: Mapping[str, str], blocks: Sequence[Block]) -> str:
    match block:
        case Heading(1, text):
            chapters = [block.text for block in blocks if isinstance(block, Heading) and block.level == 2]
            links = "".join(f'<a href="#{_anchor(name)}">{escape(name.split(",")[0])}</a>' for name in chapters)
            return f"<h1>{escape(text)}</h1>\n<nav>{links}</nav>"
        case Heading(level, text):
            mark = f' id="{_anchor(text)}"' if level == 2 else ""
            return f"<h{level}{mark}>{escape(text)}</h{level}>"
        case str():
            return f"<p>{escape(block)}</p>"
        case list():
            return "<ul>\n" + "\n".join(f"<li>{escape(item)}</li>" for item in block) + "\n</ul>"
        case Cells():
            return _html_table(block)
        case Picture(name, text):
            figure = f"<figure>\n{drawn.get(name)}\n<figcaption>{escape(text)}</figcaption>\n</figure>"
            return figure if name in drawn else ""


def _anchor(text: str) -> str:
    return re.sub(r"\W+", "-", text.lower()).strip("-")


def _html_table(cells: Cells) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in cells.head)
    rows = (enumerate(row) for row in cells.rows)
    lines = ("".join(f"<td>{_html_cell(cells, index, text)}</td>" for index, text in row) for row in rows)
    kind, body = ' class="numbers"' if cells.numbers else "", "\n".join(f"<tr>{line}</tr>" for line in lines)
    head = f"<thead><tr>{head}</tr></thead>"
    return f'<div class="table"><table{kind}>\n{head}\n<tbody>\n{body}\n</tbody>\n</table></div>'


def _html_cell(cells: Cells, index: int, text: str) -> str:
    if index == cells.verdicts:
        return f'<span class="verdict {text.split()[-1]}">{escape(text)}</span>'  # a class is one word, such as close
    if cells.numbers and index and "(" in text:
        number, _, spread = text.partition(" (")
        return f"{escape(number)}<small>{escape(spread.removesuffix(')'))}</small>"
    return escape(text)
