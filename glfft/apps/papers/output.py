"""A report written: as Markdown, as HTML in one file that needs no other, as JSON, or as all of them and the plots in a
folder.
"""

import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from glfft.apps.papers import plots, read_text
from glfft.apps.papers.claims import CLOSE, FAILS, HOLDS, MIXED, UNTESTED
from glfft.apps.papers.document import Block, Cells, Heading, Items, Picture, Text, document
from glfft.apps.papers.report import Report
from glfft.errors import OutputError
from glfft.files import check_writable, make_folder, write_whole

_FILES = (".md", ".html", ".json")

_NO_PLOTS = "This report has no plots: they need matplotlib; in a checkout of glfft run: pip install '.[plot]'."


def check(target: str) -> None:
    """Find out before long work whether a report can be written. Raises OutputError where it cannot, or its suffix is
    that of another kind of file.
    """
    suffix = Path(target).suffix
    if suffix[1:].isalpha() and suffix not in _FILES and not Path(target).is_dir():
        kinds = f"{', '.join(_FILES[:-1])} or {_FILES[-1]}"
        raise OutputError(f"Cannot write {target}: a report is a file that ends in {kinds}, or a folder.")
    if suffix in _FILES:
        check_writable(target)
    else:
        make_folder(target)


def write(report: Report, target: str) -> None:
    """Write a report as its target's suffix says; one without any of the suffixes is a folder. Raises OutputError where
    it cannot be written.
    """
    texts = {".json": report.to_json, ".md": lambda: as_text(report), ".html": lambda: html(*_drawn(report))}
    suffix = Path(target).suffix
    if suffix in texts:
        _write(Path(target), texts[suffix]())
    else:
        _write_all(report, make_folder(target))


def as_text(report: Report) -> str:
    """A report as Markdown, without plots."""
    return markdown(document(report), {})


def _write_all(report: Report, folder: Path) -> None:
    _write(folder / "report.json", report.to_json())
    blocks, drawn = _drawn(report)
    for name, text in drawn.items():
        _write(folder / f"{name}.svg", text)
    _write(folder / "report.md", markdown(blocks, {name: f"{name}.svg" for name in drawn}))
    _write(folder / "report.html", html(blocks, drawn))


def _drawn(report: Report) -> tuple[list[Block], dict[str, str]]:
    """The document, and its plots as SVG by name; without matplotlib none, and the document says so."""
    blocks = document(report)
    if not plots.can_draw():
        return [blocks[0], Text(_NO_PLOTS), *blocks[1:]], {}
    return blocks, {block.name: plots.svg(block.panels) for block in blocks if isinstance(block, Picture)}


def _write(path: Path, text: str) -> None:
    write_whole(path, text.encode("utf-8"))


def markdown(blocks: Iterable[Block], drawn: Mapping[str, str]) -> str:
    """The text of a page, with the file of each plot by its name; plots that are not in `drawn` are left out."""
    return "\n\n".join(filter(None, (_as_markdown(each, drawn) for each in blocks))) + "\n"


def _as_markdown(block: Block, drawn: Mapping[str, str]) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {block.text}"
        case Text():
            return block.text
        case Items():
            return "\n".join(f"- {item}" for item in block.items)
        case Cells():
            return markdown_table(block)
        case Picture():
            return f"![{block.text}]({drawn[block.name]})" if block.name in drawn else ""


def markdown_table(cells: Cells) -> str:
    """A table as Markdown."""
    rest = " --: |" if cells.numbers else " --- |"
    lines = [_markdown_row(cells.head), f"| --- |{rest * (len(cells.head) - 1)}", *map(_markdown_row, cells.rows)]
    return "\n".join(lines)


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


_VERDICTS = {HOLDS: "holds", FAILS: "fails", MIXED: "mixed", CLOSE: "close", UNTESTED: "untested"}


def html(blocks: Iterable[Block], drawn: Mapping[str, str]) -> str:
    """The text of the file, with the SVG of each plot by its name; plots that are not in `drawn` are left out."""
    blocks = list(blocks)
    title = next(block.text for block in blocks if isinstance(block, Heading))
    body = "\n".join(filter(None, (_as_html(each, drawn, blocks) for each in blocks)))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{read_text('report.css')}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _as_html(block: Block, drawn: Mapping[str, str], blocks: list[Block]) -> str:
    match block:
        case Heading(1, text):
            return f"<h1>{escape(text)}</h1>\n{_contents(blocks)}"
        case Heading(level, text):
            mark = f' id="{_anchor(text)}"' if level == 2 else ""
            return f"<h{level}{mark}>{escape(text)}</h{level}>"
        case Text(text):
            return f"<p>{escape(text)}</p>"
        case Items(items):
            return "<ul>\n" + "\n".join(f"<li>{escape(item)}</li>" for item in items) + "\n</ul>"
        case Cells():
            return _html_table(block)
        case Picture(name, text):
            if name not in drawn:
                return ""
            return f"<figure>\n{drawn[name]}\n<figcaption>{escape(text)}</figcaption>\n</figure>"


def _contents(blocks: list[Block]) -> str:
    chapters = [block.text for block in blocks if isinstance(block, Heading) and block.level == 2]
    links = "".join(f'<a href="#{_anchor(text)}">{escape(text.split(",")[0])}</a>' for text in chapters)
    return f"<nav>{links}</nav>"


def _anchor(text: str) -> str:
    return re.sub(r"\W+", "-", text.lower()).strip("-")


def _html_table(cells: Cells) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in cells.head)
    rows = [
        "<tr>" + "".join(f"<td>{_html_cell(cells, index, text)}</td>" for index, text in enumerate(row)) + "</tr>"
        for row in cells.rows
    ]
    kind = ' class="numbers"' if cells.numbers else ""
    body = "\n".join(rows)
    head = f"<thead><tr>{head}</tr></thead>"
    return f'<div class="table"><table{kind}>\n{head}\n<tbody>\n{body}\n</tbody>\n</table></div>'


def _html_cell(cells: Cells, index: int, text: str) -> str:
    if index == cells.verdicts:
        return f'<span class="verdict {_VERDICTS.get(text, "")}">{escape(text)}</span>'
    if cells.numbers and index and "(" in text:
        number, _, spread = text.partition(" (")
        return f"{escape(number)}<small>{escape(spread.removesuffix(')'))}</small>"
    return escape(text)
