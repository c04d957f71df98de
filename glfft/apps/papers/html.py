"""A document as one HTML file that needs no other: plots are SVG within it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

from glfft.apps.papers import read_text
from glfft.apps.papers.claims import CLOSE, FAILS, HOLDS, MIXED, UNTESTED
from glfft.apps.papers.document import Block, Cells, Heading, Items, Picture, Text

_VERDICTS = {HOLDS: "holds", FAILS: "fails", MIXED: "mixed", CLOSE: "close", UNTESTED: "untested"}


def html(blocks: Iterable[Block], plots: Mapping[str, str]) -> str:
    """The text of the file, with the SVG of each plot by its name; plots that are not in `plots` are left out."""
    blocks = list(blocks)
    title = next(block.text for block in blocks if isinstance(block, Heading))
    body = "\n".join(filter(None, (_block(each, plots, blocks) for each in blocks)))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{read_text('report.css')}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _block(block: Block, plots: Mapping[str, str], blocks: list[Block]) -> str:
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
            return _table(block)
        case Picture(name, text):
            if name not in plots:
                return ""
            return f"<figure>\n{plots[name]}\n<figcaption>{escape(text)}</figcaption>\n</figure>"


def _contents(blocks: list[Block]) -> str:
    chapters = [block.text for block in blocks if isinstance(block, Heading) and block.level == 2]
    links = "".join(f'<a href="#{_anchor(text)}">{escape(text.split(",")[0])}</a>' for text in chapters)
    return f"<nav>{links}</nav>"


def _anchor(text: str) -> str:
    return re.sub(r"\W+", "-", text.lower()).strip("-")


def _table(cells: Cells) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in cells.head)
    rows = [
        "<tr>" + "".join(f"<td>{_cell(cells, index, text)}</td>" for index, text in enumerate(row)) + "</tr>"
        for row in cells.rows
    ]
    kind = ' class="numbers"' if cells.numbers else ""
    body = "\n".join(rows)
    head = f"<thead><tr>{head}</tr></thead>"
    return f'<div class="table"><table{kind}>\n{head}\n<tbody>\n{body}\n</tbody>\n</table></div>'


def _cell(cells: Cells, index: int, text: str) -> str:
    if index == cells.verdicts:
        return f'<span class="verdict {_VERDICTS.get(text, "")}">{escape(text)}</span>'
    if cells.numbers and index and "(" in text:
        number, _, spread = text.partition(" (")
        return f"{escape(number)}<small>{escape(spread.removesuffix(')'))}</small>"
    return escape(text)
