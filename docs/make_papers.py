"""The runs, tables and plots of papers.md, from the data in papers/, which `glfft bench --papers` writes.

    glfft bench --papers FILE.json
    python docs/make_papers.py FILE.json h200

The second command keeps FILE.json as papers/h200.json, writes its report as papers/h200.md and draws the plots of the
page (needs the extra `plot`), which show all runs that are kept. Without arguments it does so for the data as it is.
`make pages` writes the tables and reports, `make pages ARGS=--figures` draws the plots too.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

from glfft.papers import output, plots
from glfft.papers.chapter import VERDICTS, Chapter, Conclusion, Measured
from glfft.papers.chapters import NAMES, open_chapters
from glfft.papers.document import Cells
from glfft.papers.markdown import table
from glfft.papers.panels import Panel, of_claims, of_figures
from glfft.papers.report import Report

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "papers"

# What the files of runs are called on the page, the first one first.
RUNS = {"h200": "H200", "llvmpipe": "llvmpipe"}


def kept() -> dict[str, Report]:
    """The runs that are kept, by name."""
    found = {name: FOLDER / f"{stem}.json" for stem, name in RUNS.items()}
    return {name: _read(path, path.stat().st_mtime_ns) for name, path in found.items() if path.exists()}


@cache
def _read(path: Path, _changed: int) -> Report:
    """The report of a file, read once unless it changes: each table and plot asks for it."""
    return Report.read(path)


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
        rows.append([name, device, libraries, f"{sizes}, {setup['samples']} samples", f"[report](papers/{stem}.md)"])
    return table(Cells(["run", "device", "compared with", "sizes", "all numbers"], rows))


def claims_table(name: str) -> str:
    """The claims of a chapter with the verdict of each run and what was found."""
    found = conclusions(name)
    if not found:
        return table(Cells([open_chapters([name])[0].title], [["No run of this chapter is kept yet."]]))
    rows = [
        [_claim(those[0]), those[0].ratio, those[0].ratios_published, *(_verdict(each) for each in those)]
        for those in zip(*found.values(), strict=True)
    ]
    return table(Cells(["claim", "ratio", "in the paper", *found], rows))


def _claim(conclusion: Conclusion) -> str:
    return f"{conclusion.claim}<br>*A proxy: {conclusion.proxy}*" if conclusion.proxy else conclusion.claim


def _verdict(conclusion: Conclusion) -> str:
    text = conclusion.ratios_here or conclusion.why_untested
    return f"**{conclusion.verdict}**<br>{text}"


def summary_table() -> str:
    """How many claims of each chapter hold in each run."""
    runs = [*kept()]
    rows = []
    for chapter in open_chapters():
        found = conclusions(chapter.name)
        if found:
            rows.append([chapter.title, *(_counted(found.get(run, [])) for run in runs)])
    return table(Cells(["paper", *runs], rows))


def _counted(found: Sequence[Conclusion]) -> str:
    counts = Counter(each.verdict for each in found)
    verdicts = [f"{counts[kind]} {kind}" for kind in VERDICTS if counts[kind]]
    proxies = sum(bool(each.proxy and each.here) for each in found)
    return "; ".join(verdicts + [f"{proxies} of these by proxy"] * bool(proxies)) or "not measured"


TABLES: dict[str, Callable[[], str]] = {
    "papers: runs": runs_table,
    "papers: in short": summary_table,
    **{f"papers: {name}": partial(claims_table, name) for name in NAMES},
}


def panels() -> dict[str, list[Panel]]:
    """The plots of the page by the names of their files."""
    found: dict[str, list[Panel]] = {}
    for name in NAMES:
        if any(name in report.chapters for report in kept().values()):
            figures = [
                panel
                for run, (chapter, measured) in opened(name).items()
                for panel in of_figures(chapter.figures(measured), run)
            ]
            found[name] = [*of_claims(conclusions(name)), *figures]
    return {name: drawn for name, drawn in found.items() if drawn}


def draw() -> None:
    """Draw the plots of the page."""
    for name, drawn in panels().items():
        (FOLDER / f"{name}.svg").write_text(plots.svg(drawn) + "\n", encoding="utf-8")


def reports() -> dict[Path, str]:
    """The report of each run that is kept, by its file."""
    found = {stem: FOLDER / f"{stem}.json" for stem in RUNS}
    return {FOLDER / f"{stem}.md": output.as_text(Report.read(path)) for stem, path in found.items() if path.exists()}


def write_reports() -> None:
    """Write the report of each run that is kept."""
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
        (FOLDER / f"{arguments.name}.json").write_text(Report.read(arguments.file).to_json(), encoding="utf-8")
    write_reports()
    draw()
    # It writes the tables of all pages. Imported here because it imports this module.
    import make_pages

    page = HERE / "papers.md"
    page.write_text(make_pages.with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
