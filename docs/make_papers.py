"""The runs, tables and plots of papers.md, from the data in papers/, which `glfft bench --papers` writes.

    glfft bench --papers FILE.json
    python docs/make_papers.py FILE.json h200

The second command keeps FILE.json as papers/h200.json, writes its numbers as papers/h200.md and the verdicts of all
runs as papers/claims.md, and draws the plots of the page (needs the extra `plot`). Without arguments it does so for the
data as it is. `make pages` writes the tables and pages, `make pages ARGS=--figures` draws the plots too.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from glfft.apps.papers import NAMES, open_chapters, plots
from glfft.apps.papers.chapter import Chapter
from glfft.apps.papers.claims import VERDICTS, Conclusion, Grid, Measured, Panel, Spread, Table, of_claims
from glfft.apps.papers.report import (
    Block,
    Cells,
    Heading,
    Report,
    about,
    counts,
    left_out,
    markdown,
    markdown_table,
    of_tables,
    spans,
)

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "papers"

_CLAIMS_HEAD = """# Claims of the papers

`make pages` makes this page from the runs named in [Test published claims](../papers.md). A ratio divides two times of
one machine, unless it says something else. Mixed: the claim holds at some sizes and fails at others. Too close: the
quartiles lie on both sides of the claim's limit. The notes below each table begin with the numbers of claims.
"""

_NUMBERS_HEAD = (
    "The [claims](claims.md) have a page with the verdicts and the papers' numbers. The JSON file beside this page has "
    "every sample."
)

# What the files of runs are called on the page, the first one first.
RUNS = {"h200": "H200", "llvmpipe": "llvmpipe"}


def kept() -> dict[str, Report]:
    """The runs that are kept, by name."""
    found = {name: FOLDER / f"{stem}.json" for stem, name in RUNS.items()}
    return {name: _read(path, path.stat().st_mtime_ns) for name, path in found.items() if path.exists()}


@cache
def _read(path: Path, _changed: int) -> Report:
    """The report of a file, read once unless it changes: each table and plot asks for it."""
    return read_report(path.read_text(encoding="utf-8"))


def read_report(text: str) -> Report:
    """The report of a text from its `to_json`. Another text raises KeyError, TypeError or ValueError."""
    data = json.loads(text)
    chapters = data["chapters"].items()
    grids = {name: {part: read_grid(each) for part, each in parts.items()} for name, parts in chapters}
    return Report(data["device"], data["setup"], grids)


def read_grid(data: Mapping[str, Any]) -> Grid:
    """The grid of data from its `to_json`. Other data raises KeyError, TypeError or ValueError."""
    grid = Grid()
    for row, cells in data["rows"].items():
        for point, cell in zip(data["points"], cells, strict=True):
            if isinstance(cell, str):
                grid.skipped[row, point] = cell
            elif isinstance(cell, dict):
                grid.values[row, point] = Spread(float(cell["middle"]), float(cell["low"]), float(cell["high"]))
            elif cell is not None:
                grid.values[row, point] = Spread.of_samples([*map(float, cell)])
    return grid


def opened(name: str) -> dict[str, tuple[Chapter, Measured]]:
    """A chapter with what each run measured of it, by the name of the run."""
    return {
        run: (chapter, measured)
        for run, report in kept().items()
        for chapter, measured in report.opened
        if chapter.name == name
    }


def conclusions(name: str) -> dict[str, list[Conclusion]]:
    """The conclusions of a chapter in each run."""
    return {run: chapter.conclusions(measured) for run, (chapter, measured) in opened(name).items()}


def runs_table() -> str:
    """What was measured where."""
    rows = []
    for name, report in kept().items():
        setup = report.setup
        kind = f"a software renderer on {setup['cores']} cores" if setup["software"] else "a GPU"
        sizes = "the few of `--quick`" if setup["quick"] else "all"
        stem = next(stem for stem, each in RUNS.items() if each == name)
        libraries = "; ".join(setup["libraries"].values())
        device = f"{report.device.partition('/')[0]}, {kind}"
        rows.append([name, device, libraries, f"{sizes}, {setup['samples']} samples", f"[numbers](papers/{stem}.md)"])
    return markdown_table(Cells(["run", "device", "compared with", "sizes", "all numbers"], rows))


def claims_table(name: str) -> str:
    """The claims of a chapter with the verdict of each run and what was found."""
    found = conclusions(name)
    if not found:
        return markdown_table(Cells([open_chapters([name])[0].title], [["No run of this chapter is kept yet."]]))
    rows = [
        [str(number), those[0].claim, those[0].ratio, those[0].ratios_published, *map(_verdict, those)]
        for number, those in enumerate(zip(*found.values(), strict=True), 1)
    ]
    return markdown_table(Cells(["", "claim", "ratio", "paper", *found], rows))


def _verdict(conclusion: Conclusion) -> str:
    verdict, ratios = conclusion.verdict, conclusion.ratios_here
    if ratios.startswith(f"{verdict} at "):
        return f"**{verdict}**{ratios.removeprefix(verdict)}"
    return f"**{verdict}**: {ratios}" if ratios else f"**{verdict}**"


def notes(name: str) -> list[str]:
    """What has to be known of a chapter's verdicts, with the numbers of claims; reasons with their run."""
    numbers: dict[str, dict[str, list[int]]] = {}
    runs = conclusions(name)
    for run, those in runs.items():
        for number, each in enumerate(those, 1):
            for note in each.notes:
                claims = numbers.setdefault(note, {}).setdefault("" if each.here else run, [])
                claims += [number] * (number not in claims)
    return [f"{_whose(whose, len(runs))}: {note}" for note, whose in numbers.items()]


def _whose(numbers: dict[str, list[int]], runs: int) -> str:
    """Which claims a note is of, and of which run if not of all."""
    if "" in numbers or (len(numbers) == runs and len(set(map(tuple, numbers.values()))) == 1):
        return spans(sorted(next(iter(numbers.values()))))
    return "; ".join(f"{spans(those)} on {run}" for run, those in numbers.items())


def claims_page() -> str:
    """All claims with the verdicts of all runs, and the published numbers."""
    parts = [_CLAIMS_HEAD]
    for chapter in open_chapters():
        if measured := opened(chapter.name):
            tables = [each for each in chapter.tables(next(iter(measured.values()))[1]) if is_published(each)]
            texts = [markdown([block], {}) for block in (notes(chapter.name), *of_tables(tables))]
            parts += [f"## {chapter.title}\n", f"{claims_table(chapter.name)}\n", *texts]
    return "\n".join(parts)


def is_published(table: Table) -> bool:
    """Whether there are numbers, all of them a paper's."""
    values = [value for cells in table.rows.values() for value in cells.values()]
    return bool(values) and not any(isinstance(value, Spread) for value in values)


def numbers_page(report: Report) -> str:
    """All that was measured in a run."""
    first, *rest = about(report)
    blocks: list[Block] = [
        Heading(1, "Times of the papers' programs"),
        first,
        _NUMBERS_HEAD,
        *rest,
    ]
    for chapter, measured in report.opened:
        tables = [each for each in chapter.tables(measured) if not is_published(each)]
        blocks += [Heading(2, chapter.title), chapter.measures, *of_tables(tables, quartiles=False)]
        reasons = left_out(measured)
        blocks += [Heading(3, "Left out"), reasons] if reasons else []
    return markdown(blocks, {})


def summary_table() -> str:
    """How many claims of each chapter have which verdict in each run."""
    rows = [
        [f"{author}, {run}", *numbers]
        for chapter in open_chapters()
        for run, those in conclusions(chapter.name).items()
        for author, *numbers in [counts(chapter, those)]
    ]
    return markdown_table(Cells(["paper, run", *VERDICTS, "by proxy"], rows, numbers=True))


TABLES: dict[str, Callable[[], str]] = {"papers: runs": runs_table, "papers: in short": summary_table}


def panels() -> dict[str, list[Panel]]:
    """The plots of the page by the names of their files."""
    found: dict[str, list[Panel]] = {}
    for name in NAMES:
        if any(name in report.chapters for report in kept().values()):
            figures = [
                replace(panel, title=f"{panel.title}, {run}")
                for run, (chapter, measured) in opened(name).items()
                for panel in chapter.figures(measured)
            ]
            found[name] = [*of_claims(conclusions(name)), *figures]
    return {name: drawn for name, drawn in found.items() if drawn}


def draw() -> None:
    """Draw the plots of the page."""
    for name, drawn in panels().items():
        (FOLDER / f"{name}.svg").write_text(plots.svg(drawn) + "\n", encoding="utf-8")


def reports() -> dict[Path, str]:
    """The pages on the runs that are kept, by their files."""
    runs, stems = kept(), {name: stem for stem, name in RUNS.items()}
    pages = {FOLDER / f"{stems[name]}.md": numbers_page(report) for name, report in runs.items()}
    return {FOLDER / "claims.md": claims_page(), **pages}


def write_reports() -> None:
    """Write these pages."""
    for path, text in reports().items():
        path.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="of a new run")
    parser.add_argument("name", nargs="?", choices=tuple(RUNS), help="which run it replaces")
    arguments = parser.parse_args()
    if arguments.file is not None:
        if arguments.name is None:
            parser.error(f"say which run it is: {' or '.join(RUNS)}")
        given = read_report(arguments.file.read_text(encoding="utf-8"))
        (FOLDER / f"{arguments.name}.json").write_text(given.to_json(), encoding="utf-8")
    write_reports()
    draw()
    # It writes the tables of all pages. Imported here because it imports this module.
    import make_pages

    page = HERE / "papers.md"
    page.write_text(make_pages.with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
