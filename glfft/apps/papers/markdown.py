"""A document as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from glfft.apps.papers.document import Block, Cells, Heading, Items, Picture, Text


def markdown(blocks: Iterable[Block], plots: Mapping[str, str]) -> str:
    """The text of a page, with the file of each plot by its name; plots that are not in `plots` are left out."""
    return "\n\n".join(filter(None, (_block(each, plots) for each in blocks))) + "\n"


def _block(block: Block, plots: Mapping[str, str]) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {block.text}"
        case Text():
            return block.text
        case Items():
            return "\n".join(f"- {item}" for item in block.items)
        case Cells():
            return table(block)
        case Picture():
            return f"![{block.text}]({plots[block.name]})" if block.name in plots else ""


def table(cells: Cells) -> str:
    rest = " --: |" if cells.numbers else " --- |"
    lines = [_row(cells.head), f"| --- |{rest * (len(cells.head) - 1)}", *map(_row, cells.rows)]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
