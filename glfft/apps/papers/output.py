"""A report written: as FILE.md, FILE.html or FILE.json, or all of them and the plots in a folder."""

from __future__ import annotations

from pathlib import Path

from glfft.apps.papers import plots
from glfft.apps.papers.document import Block, Picture, Text, document
from glfft.apps.papers.html import html
from glfft.apps.papers.markdown import markdown
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
    suffix = Path(target).suffix
    if suffix == ".json":
        _write(Path(target), report.to_json())
    elif suffix == ".md":
        _write(Path(target), as_text(report))
    elif suffix == ".html":
        blocks, drawn = _drawn(report)
        _write(Path(target), html(blocks, drawn))
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
