"""A document as one HTML file that needs no other: plots are SVG within it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

from glfft.papers.chapter import CLOSE, FAILS, HOLDS, MIXED, UNTESTED
from glfft.papers.document import Block, Cells, Heading, Items, Picture, Text

_VERDICTS = {HOLDS: "holds", FAILS: "fails", MIXED: "mixed", CLOSE: "close", UNTESTED: "untested"}

_STYLE = """
:root { color-scheme: light dark; --ink: #1f2933; --faint: #52606d; --line: #e4e7eb; --paper: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e7eb; --faint: #9aa5b1; --line: #3e4c59; --paper: #1b2127; }
}
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 72rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.4rem; margin: 3.5rem 0 .75rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
p { max-width: 46rem; margin: .5rem 0; }
nav { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; margin: 1.25rem 0 0; font-size: .95rem; }
a { color: #0077bb; }
.table { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; font-size: .875rem; line-height: 1.4; }
th { text-align: left; font-weight: 600; color: var(--faint); }
th, td { padding: .4rem .9rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.numbers th + th, .numbers td + td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.numbers td:first-child { white-space: nowrap; }
.numbers small { color: var(--faint); display: block; }
.verdict { display: inline-block; padding: .05rem .55rem; border-radius: 1rem; font-size: .8rem; font-weight: 600;
  white-space: nowrap; color: #ffffff; background: #7b8794; }
.holds { background: #00796b; } .fails { background: #b3261e; } .mixed { background: #9a6700; }
.untested { background: none; color: var(--faint); border: 1px solid var(--faint); }
figure { margin: 1.25rem 0; padding: 1rem; border-radius: .5rem; background: #ffffff; border: 1px solid var(--line); }
figure svg { display: block; max-width: 100%; height: auto; }
figcaption { color: #52606d; font-size: .85rem; margin-top: .5rem; }
ul { font-size: .9rem; color: var(--faint); padding-left: 1.2rem; }
"""


def html(blocks: Iterable[Block], plots: Mapping[str, str]) -> str:
    """The text of the file.

    Args:
        blocks: the document.
        plots: the SVG of each plot, by its name; those that are not here are left out.
    """
    blocks = list(blocks)
    title = next(block.text for block in blocks if isinstance(block, Heading))
    body = "\n".join(filter(None, (_block(each, plots, blocks) for each in blocks)))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
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
